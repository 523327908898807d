import hashlib, hmac, json, time

def verify_webhook(raw_body: bytes, headers: dict, secret: str) -> dict:
    """Returns the event; raises ValueError. `headers` with names in lower case."""
    timestamp, given = (headers.get("x-service-" + name, "") for name in ("timestamp", "signature"))
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(b"sha256=" + expected.encode(), given.encode()):
        raise ValueError("signature")
    if time.time() - int(timestamp) > 300:
        raise ValueError("age")
    return json.loads(raw_body)
