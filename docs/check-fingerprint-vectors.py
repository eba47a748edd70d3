#!/usr/bin/env python3
"""Checks fingerprint-vectors.json with Python's own JSON reader: a second implementation of the
rules in FINGERPRINTS.md, small enough to start another one from. Usage: python3 <this file>"""

import decimal
import hashlib
import json
import pathlib
import sys
import urllib.parse

MAX_DEPTH, MAX_EXPONENT = 127, 10**15


class Number(str):
    """A number as it was spelled."""


class Members(list):
    """An object as pairs, so that a name twice is seen."""


def refuse(what):
    raise ValueError(what)


def json_text(body, ignored):
    value = json.loads(body.decode(), object_pairs_hook=Members, parse_int=Number,
                       parse_float=Number, parse_constant=refuse)
    return json_value(value, ignored, 0).encode()


def json_value(value, ignored, depth):
    if isinstance(value, Number):
        return json_number(value)
    if isinstance(value, str):
        value.encode()  # refuses half of a surrogate pair
    elif isinstance(value, list):
        if depth == MAX_DEPTH:
            refuse("too deep")
        if isinstance(value, Members):
            return json_object(value, ignored, depth + 1)
        return "[" + ",".join(json_value(item, ignored, depth + 1) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def json_object(members, ignored, depth):
    if len({name for name, _ in members}) != len(members):
        refuse("a name twice")
    texts = []
    for name, value in sorted(members, key=lambda member: member[0].encode()):
        inner = [path[1:] for path in ignored if path[0] == name]
        text = json_value(name, [], 0) + ":" + json_value(value, [p for p in inner if p], depth)
        if [] not in inner:
            texts.append(text)
    return "{" + ",".join(texts) + "}"


def json_number(spelled):
    mantissa, _, power = spelled.lower().partition("e")
    sign, digits, exponent = decimal.Decimal(mantissa).as_tuple()
    digits = "".join(map(str, digits)).lstrip("0")
    if not digits:
        return "0"
    significant = digits.rstrip("0")
    exponent += int(power or 0) + len(digits) - len(significant)
    if abs(exponent) > MAX_EXPONENT:
        refuse("out of range")
    return "-" * sign + significant + (f"e{exponent}" if exponent else "")


def form_text(body, ignored):
    pairs = [pair.partition(b"=")[::2] for pair in body.split(b"&") if pair]
    decoded = [[urllib.parse.unquote_to_bytes(part.replace(b"+", b" ")) for part in pair] for pair in pairs]
    kept = [pair for pair in decoded if [pair[0].decode(errors="replace")] not in ignored]
    kept.sort(key=lambda pair: pair[0])  # keeps the order among equal names
    encode = lambda part: urllib.parse.quote_plus(part, safe="*-._").replace("~", "%7E")
    return "&".join("=".join(map(encode, pair)) for pair in kept).encode()


def raw_text(body, media_type):
    essence, _, parameters = (media_type or "").partition(";")
    header = essence.strip().lower() + (";" + parameters.strip() if parameters.strip() else "")
    return header.encode() + b"\n" + body


def canonical(vector):
    body = bytes.fromhex(vector["body_hex"]) if "body_hex" in vector else vector["body"].encode()
    ignored = [path.split(".") for path in vector.get("ignore", [])]
    if vector["encoding"] == "raw":
        return raw_text(body, vector.get("media_type"))
    return {"json": json_text, "form": form_text}[vector["encoding"]](body, ignored)


def fingerprint(vector):
    prefix = f"idem fingerprint v1 {vector['encoding']}\n".encode()
    return "v1:" + hashlib.sha256(prefix + canonical(vector)).hexdigest()


def holds(vector):
    try:
        found, text = fingerprint(vector), canonical(vector)
    except ValueError:
        return "error" in vector
    return found == vector.get("fingerprint") and vector.get("canonical", "").encode() in (b"", text)


if __name__ == "__main__":
    vectors = json.loads(pathlib.Path(__file__).with_name("fingerprint-vectors.json").read_text("utf-8"))
    failed = [vector["name"] for vector in vectors if not holds(vector)]
    print(f"{len(vectors) - len(failed)} of {len(vectors)} vectors hold", *failed, sep="\n  ")
    sys.exit(bool(failed))
