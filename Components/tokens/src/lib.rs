//! token counts behind one trait, loaded lazily
