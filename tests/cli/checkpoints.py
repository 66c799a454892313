#!/usr/bin/env python3
"""Makes the checkpoints of base_test.sh: four steps of a small model, as a training run leaves them.

Usage: checkpoints.py FOLDER

step0 to step3.safetensors are in FP32; step3.bf16.safetensors is step3 cast; step0/ holds step0 in
two shards with their index, step0.pt as PyTorch would save it, renamed.safetensors the tensors of
step0 by other names, other.safetensors other numbers in the same shapes.
"""

import json
import os
import random
import struct
import sys
import zipfile

SHAPES = {"embed": (256, 64), "layer.0.w": (128, 64), "layer.0.norm": (64,), "layer.1.w": (128, 64),
          "layer.1.norm": (64,), "head.bias": (7,)}


def numbers(seed, scale=0.05):
    source = random.Random(seed)
    return {name: [source.gauss(0, scale) for _ in range(size_of(shape))]
            for name, shape in SHAPES.items()}


def size_of(shape):
    size = 1
    for axis in shape:
        size *= axis
    return size


def step_after(model, seed):
    source = random.Random(seed)
    return {name: values if name == "layer.0.norm" else
            [v * (1 + source.gauss(0, 0.0005)) for v in values] for name, values in model.items()}


def as_f32(values):
    return struct.pack(f"<{len(values)}f", *values)


def as_bf16(values):
    bits = struct.unpack(f"<{len(values)}I", as_f32(values))
    return struct.pack(f"<{len(values)}H", *[(b + 0x7fff + (b >> 16 & 1)) >> 16 for b in bits])


def write(path, model, names=lambda name: name, dtype="F32", code=as_f32):
    header, data = {}, b""
    for name, values in model.items():
        coded = code(values)
        header[names(name)] = {"dtype": dtype, "shape": SHAPES[name],
                               "data_offsets": [len(data), len(data) + len(coded)]}
        data += coded
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def write_shards(folder, model):
    os.makedirs(folder, exist_ok=True)
    names = list(model)
    parts = {"model-00001-of-00002.safetensors": names[:3],
             "model-00002-of-00002.safetensors": names[3:]}
    for file, part in parts.items():
        write(os.path.join(folder, file), {name: model[name] for name in part})
    index = {"metadata": {}, "weight_map": {n: file for file, part in parts.items() for n in part}}
    with open(os.path.join(folder, "model.safetensors.index.json"), "w", encoding="ascii") as file:
        json.dump(index, file)


def write_torch(path, model):
    """A zip of storages without the pickle that names them."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("step/data.pkl", pickle_of(model))
        archive.writestr("step/byteorder", "little")
        for i, values in enumerate(model.values()):
            archive.writestr(f"step/data/{i}", as_f32(values))


def pickle_of(model):
    """A state dict as torch.save() writes it: protocol 2, storages by persistent ids."""
    out = b"\x80\x02}("
    for i, (name, values) in enumerate(model.items()):
        shape = SHAPES[name]
        strides = [size_of(shape[k + 1:]) for k in range(len(shape))]
        out += text(name) + b"ctorch._utils\n_rebuild_tensor_v2\n("
        out += b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text(str(i)) + text("cpu")
        out += integer(len(values)) + b"tQ" + integer(0)
        out += b"(" + b"".join(map(integer, shape)) + b"t(" + b"".join(map(integer, strides)) + b"t"
        out += b"\x89ccollections\nOrderedDict\n)RtR"
    return out + b"u."


def text(word):
    return b"X" + struct.pack("<I", len(word)) + word.encode()


def integer(value):
    return b"J" + struct.pack("<i", value)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    model = numbers(1)
    for step in range(4):
        if step > 0:
            model = step_after(model, 100 + step)
        if step == 0:
            write_shards(os.path.join(folder, "step0"), model)
            write_torch(os.path.join(folder, "step0.pt"), model)
            write(os.path.join(folder, "renamed.safetensors"), model, lambda name: "m." + name)
        write(os.path.join(folder, f"step{step}.safetensors"), model)
    write(os.path.join(folder, "step3.bf16.safetensors"), model, dtype="BF16", code=as_bf16)
    write(os.path.join(folder, "other.safetensors"), numbers(2))


if __name__ == "__main__":
    main()
