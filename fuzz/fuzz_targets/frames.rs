//! The text form of a stream and its cuts: the same frames however it is cut, and every message judged.

#![cfg_attr(fuzzing, no_main)]

use wirebench::case::{Case, Frames, Party, Transport};
use wirebench::codec::frame::{FrameLimits, read};
use wirebench::codec::refusal::Refusal;
use wirebench_fuzz::{Verdict, check};

fn cut(frames: &Frames, limit: usize) -> Vec<(u64, Result<Vec<u8>, Refusal>)> {
    let mut seen = Vec::new();
    let limits = FrameLimits { line: limit, event: limit };
    read(frames, limits, &mut |frame| seen.push((frame.offset, frame.result.map(<[u8]>::to_vec))));
    seen
}

fn run(text: &[u8]) -> Verdict {
    let Ok(frames) = Frames::decode(text) else { return Verdict::Reject };
    let whole = Frames::new(frames.transport(), frames.stream(), []);
    let bytes = Frames::new(frames.transport(), frames.stream(), 1..frames.stream().len());
    // The second limit is small enough to be met, the first is that of a message.
    for limit in [FrameLimits::message().line, 32] {
        let seen = cut(&whole, limit);
        assert_eq!(cut(&frames, limit), seen, "the cuts change the frames");
        assert_eq!(cut(&bytes, limit), seen, "cuts behind every byte change the frames");
    }
    for message in cut(&whole, FrameLimits::message().line).into_iter().filter_map(|(_, result)| result.ok()) {
        check(&match frames.transport() {
            Transport::Http => Case::http(Party::Server, message),
            Transport::Stdio => Case::stdio(Party::Server, message),
        });
    }
    Verdict::Keep
}

wirebench_fuzz::target!(run, mutate: wirebench::mutate::libfuzzer_frames);
