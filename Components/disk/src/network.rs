//! File systems on which notifications miss what other machines write.

use std::path::Path;

/// The `f_type` numbers of `statfs(2)`: NFS, SMB, SMB2, CIFS, 9p, FUSE, AFS, Coda, Ceph, shares of `VirtualBox`.
#[cfg(target_os = "linux")]
const NETWORK: [u64; 10] = [
    0x6969,
    0x517b,
    0xfe53_4d42,
    0xff53_4d42,
    0x0102_1997,
    0x6573_5546,
    0x5346_414f,
    0x7375_7245,
    0x00c3_6400,
    0x786f_4256,
];

/// Whether `path` lies on a network file system, or on one that may be.
#[cfg(target_os = "linux")]
pub(crate) fn is_network(path: &Path) -> bool {
    // `f_type` is signed or unsigned, narrow or wide, as the machine has it; the numbers have 32 bits.
    #[allow(clippy::cast_sign_loss, clippy::unnecessary_cast, reason = "the type differs by machine")]
    let kind = rustix::fs::statfs(path).map(|system| system.f_type as u64 & 0xffff_ffff);
    kind.is_ok_and(|kind| NETWORK.contains(&kind))
}

/// Whether `path` lies on a network file system: not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_network(_path: &Path) -> bool {
    false
}
