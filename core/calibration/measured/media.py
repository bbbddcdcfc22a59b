"""What a measured row of images, video, speech or embeddings was: network at its size, chips, software."""

from __future__ import annotations

import math
import re

from core.calibration.measured.table import MeasuredRow
from core.workload.models.known import networks
from core.workload.models.network import NetworkModel, encoder_network
from core.workload.models.sized import Size, SizedNetwork, shipped_sized
from core.workload.models.speech import WINDOW_S

MEDIA = "media"
_NAMES = {
    "sd1.5controlnet": "Stable Diffusion 1.5 with ControlNet", "sd1.5": "Stable Diffusion 1.5",
    "stablediffusion1.5": "Stable Diffusion 1.5", "sdv1.5": "Stable Diffusion 1.5",
    "sd2": "Stable Diffusion 2.1", "sd2.1": "Stable Diffusion 2.1", "stablediffusion2": "Stable Diffusion 2.1",
    "sdxl": "SDXL", "stablediffusionxl": "SDXL", "playground": "SDXL", "kolors": "Kolors",
    "pixart": "PixArt-alpha", "hunyuandit": "Hunyuan-DiT", "sd3medium": "Stable Diffusion 3 medium",
    "sd3": "Stable Diffusion 3 medium", "stablediffusion3": "Stable Diffusion 3 medium",
    "sd3.5medium": "Stable Diffusion 3 medium", "sd3.5": "Stable Diffusion 3.5 large",
    "stablediffusion3.5": "Stable Diffusion 3.5 large", "flux.1": "FLUX.1", "flux1": "FLUX.1",
    "qwenimage": "Qwen-Image", "cogvideox1.5": "CogVideoX1.5-5B", "cogvideox2b": "CogVideoX-2B",
    "cogvideox5b": "CogVideoX-5B", "hunyuanvideo": "HunyuanVideo", "mochi": "Mochi 1",
    "opensora2": "Open-Sora 2.0", "wan2.11.3b": "Wan 1.3B", "wan2.1t2v1.3b": "Wan 1.3B", "wan2.1": "Wan 14B",
    "wan2.2t2va14b": "Wan 14B", "wan2.2i2va14b": "Wan 14B", "wan2.2a14b": "Wan 14B",
    "cosmospredict22b": "Cosmos-Predict2 2B", "cosmospredict214b": "Cosmos-Predict2 14B", "ltx": "LTX-Video",
}  # fmt: skip
"""Network by the beginning of a row's name without spaces and dashes; the longest beginning wins."""
_LOSSY = ("cache", "tome", "deepcache", "rdt", "svdquant", "distill", "token merging", "sparse")
"""Tricks that skip steps or tokens and change the picture: how much they skip is not stated."""
_DEBERTA = {
    "deberta-v3-xsmall": (12, 384, 1536, 128_100), "deberta-v3-small": (6, 768, 3072, 128_100),
    "deberta-v3-base": (12, 768, 3072, 128_100), "deberta-v3-large": (24, 1024, 4096, 128_100),
    "deberta custom (hidden 384)": (12, 384, 1536, 50_265),
}  # fmt: skip
"""Layers, width, feed-forward width and words (He et al., arXiv 2111.09543, table 1; a custom one as the smallest)."""
_ENCODERS = {
    "bge-small": (12, 384, 1536, 30_522), "bge-base": (12, 768, 3072, 30_522), "bge-large": (24, 1024, 4096, 30_522),
    "bge-m3": (24, 1024, 4096, 250_002), "e5-small": (12, 384, 1536, 30_522), "e5-base": (12, 768, 3072, 30_522),
    "e5-large": (24, 1024, 4096, 30_522), "all-minilm-l6": (6, 384, 1536, 30_522),
    "minilm-l12": (12, 384, 1536, 30_522), "gte-base": (12, 768, 3072, 30_522), "gte-large": (24, 1024, 4096, 30_522),
    "mxbai-embed-large": (24, 1024, 4096, 30_522), "gemma embedding": (24, 768, 1152, 262_144),
    "embeddinggemma": (24, 768, 1152, 262_144), "nomic-embed": (12, 768, 3072, 30_528),
}  # fmt: skip
"""Encoders that answer with vectors (the makers' config.json)."""
_DEBERTA_KERNELS = 40
"""Operations of a layer as frameworks launch them: gathers and products by position come on top (counted)."""
_DISENTANGLED_SCORES = 3.0
"""Score matrices of DeBERTa's attention: content to content, content to position, position to content."""


def media_network(row: MeasuredRow) -> NetworkModel | str:
    """The network of a row at the size it ran, or why it cannot be told. Raises InputError for a cell no number."""
    if row.text("task") in ("image-gen", "video-gen", "image-generation", "video-generation"):
        return _denoiser(row)
    if row.text("task") in ("encoder", "embedding", "rerank"):
        return _encoder(row)
    if row.text("task") in ("asr", "tts"):
        return _speech(row)
    return "a part of a network, or a task, that is not counted"


def _denoiser(row: MeasuredRow) -> NetworkModel | str:
    words = f"{row.text('engine')} {row.text('accel')}".lower().replace("no cache", "")
    if any(trick in words for trick in _LOSSY) and "vanilla" not in words:
        return "a cache or merged tokens that change the picture"
    network = _named(row.text("model"))
    if network is None or "edit" in row.text("model"):
        return "network unknown"
    size = _size(row)
    if network.usual.frames > 1 and not size.width_px:
        return "size of the video unknown"
    model = network.at(size)
    if not _is_one_step(row):
        return model
    return model.model_copy(update={"passes": network.passes_a_step, "once_gflops": 0.0})


def _is_one_step(row: MeasuredRow) -> bool:
    return not row.text("seconds_per_item") and bool(row.text("step_time_s") or row.text("iters_per_s"))


def _named(name: str) -> SizedNetwork | None:
    plain = re.sub(r"[\s_-]|img2img|inpaint|txt2img", "", name.lower())
    start = max((start for start in _NAMES if plain.startswith(start)), key=len, default=None)
    return shipped_sized()[_NAMES[start]] if start else None


def _size(row: MeasuredRow) -> Size:
    pixels = re.match(r"(\d+) ?x ?(\d+)", row.text("resolution").lower())
    named = next((px for word, px in _USUAL_PX.items() if row.text("resolution").lower().startswith(word)), (0, 0))
    width, height = (int(pixels[1]), int(pixels[2])) if pixels else named
    return Size(width, height, row.count("frames") or 0, row.count("steps") or 0)


_USUAL_PX = {"480p": (832, 480), "720p": (1280, 720), "1080p": (1920, 1080)}


def _encoder(row: MeasuredRow) -> NetworkModel | str:
    name, length = row.text("model").lower(), row.number("input_len")
    shape = next((shape for start, shape in (_DEBERTA | _ENCODERS).items() if start in name), None)
    if shape is None:
        return "encoder unknown"
    if not length:
        return "sequence length unknown"
    model = encoder_network(row.text("model"), *shape[:3], length, shape[3])
    if "deberta" not in name:
        return model
    scores = _DISENTANGLED_SCORES * model.attention_gflops
    heads = shape[1] / 64.0
    written = 1e-6 * shape[0] * heads * length * length * _DISENTANGLED_SCORES
    return model.model_copy(update={
        "attention_gflops": scores,
        "activation_millions": model.activation_millions + written,
        "n_kernels": _DEBERTA_KERNELS * shape[0],
    })  # fmt: skip


_SPEECH = {
    "whisperlargev3turbo": "Whisper large v3 turbo", "whisperturbo": "Whisper large v3 turbo",
    "largev3turbo": "Whisper large v3 turbo", "whisperlargev3": "Whisper large v3", "largev3": "Whisper large v3",
    "whisperlarge": "Whisper large v2", "large": "Whisper large v2", "whispermedium": "Whisper medium",
    "whispersmall": "Whisper small", "whisperbase": "Whisper base", "whispertiny": "Whisper tiny",
    "medium": "Whisper medium", "small": "Whisper small", "distillarge": "Distil-Whisper large",
    "distilwhisperlarge": "Distil-Whisper large", "distilmedium": "Distil-Whisper medium",
    "distilwhispermedium": "Distil-Whisper medium", "distilsmall": "Distil-Whisper small",
    "distilwhispersmall": "Distil-Whisper small", "sparktts": "Spark-TTS 0.5B", "cosyvoice2": "CosyVoice2 0.5B",
    "cosyvoice3": "CosyVoice2 0.5B", "funcosyvoice3": "CosyVoice2 0.5B",
    "f5tts": "F5-TTS base",
}  # fmt: skip
"""Network of speech by the beginning of a row's name without spaces, dashes and who published it. The third CosyVoice
writes with the same language model at the same rate as the second."""
SPOKEN_S = 10.0
"""Speech that a sample of a network that speaks makes."""
PIPELINE_STEP_S = 20.0
"""Audio that a window of 30 s brings forward in the pipeline of Transformers: 5 s on either side are heard twice."""
SERVER_HOST_MS = 15.0
"""Work of the host on a window where a server makes the spectrum on the chip (our estimate)."""


def _speech(row: MeasuredRow) -> NetworkModel | str:
    plain = re.sub(r"^.*/|[\s_.-]", "", row.text("model").lower())
    start = max((start for start in _SPEECH if plain.startswith(start)), key=len, default=None)
    if start is None:
        return "network unknown"
    model = networks()[_SPEECH[start]].model
    beams = re.search(r"beam[ _-]?(?:size)?\D{0,2}(\d+)", f"{row.text('engine')} {row.text('accel')}".lower())
    kept = model.remembered_millions * (float(beams[1]) if beams else 1.0)
    is_server = re.search(r"tensorrt|trtllm|mlperf|vllm", row.text("engine").lower())
    host_ms = SERVER_HOST_MS if is_server else math.inf
    return model.model_copy(update={"remembered_millions": kept, "host_ms": min(host_ms, model.host_ms)})


def _is_pipeline(row: MeasuredRow) -> bool:
    return row.text("task") == "asr" and "transformers" in row.text("engine").lower()


def audio_of_sample_s(row: MeasuredRow) -> float:
    """Seconds of audio that a sample of a row of speech stands for; 0 for any other row."""
    if row.text("task") == "tts":
        return SPOKEN_S
    return (PIPELINE_STEP_S if _is_pipeline(row) else WINDOW_S) if row.text("task") == "asr" else 0.0


def split_of(model: NetworkModel) -> NetworkModel:
    """The network where all chips share one sample, as it is where nobody says what they would exchange."""
    return model.model_copy(update={"exchange_values": model.shared_values}) if model.shared_values else model
