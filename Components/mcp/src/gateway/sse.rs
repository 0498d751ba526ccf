//! The data of server-sent events, out of pieces as they come.

/// Takes pieces of a stream and gives the data of its events.
#[derive(Debug)]
pub(super) struct Events {
    rest: Vec<u8>,
    data: Vec<u8>,
    longest: usize,
}

impl Events {
    pub(super) fn new(longest: usize) -> Self {
        Self { rest: Vec::new(), data: Vec::new(), longest }
    }

    /// The data of the events that end in this piece.
    ///
    /// # Errors
    /// An event is too long.
    pub(super) fn take(&mut self, piece: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let mut events = Vec::new();
        let mut piece = piece;
        while let Some(end) = piece.iter().position(|&byte| byte == b'\n') {
            self.rest.extend_from_slice(&piece[..end]);
            piece = &piece[end + 1..];
            let line = std::mem::take(&mut self.rest);
            events.extend(self.line(line.strip_suffix(b"\r").unwrap_or(&line)));
        }
        self.rest.extend_from_slice(piece);
        if self.rest.len() + self.data.len() > self.longest {
            return Err("its answer is longer than 16 MiB".to_owned());
        }
        Ok(events)
    }

    fn line(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        if line.is_empty() {
            return Some(std::mem::take(&mut self.data)).filter(|data| !data.is_empty());
        }
        if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_of_any_pieces() {
        let text =
            b": hello\nevent: message\ndata: {\"a\":\ndata: 1}\n\nid: 7\ndata:\n\ndata: x\r\n\r\ndata: cut";
        for size in [1, 2, 7, 1_000] {
            let mut events = Events::new(1_000);
            let all: Vec<Vec<u8>> = text.chunks(size).flat_map(|piece| events.take(piece).unwrap()).collect();
            assert_eq!(all, [b"{\"a\":\n1}".to_vec(), b"x".to_vec()], "in pieces of {size}");
        }
        assert!(Events::new(3).take(b"data: 12345").is_err());
    }
}
