static JsonDocument VerifyWebhook(byte[] rawBody, IHeaderDictionary headers, string secret)
{
    var timestamp = headers["X-Service-Timestamp"].ToString();
    var signed = Encoding.UTF8.GetBytes(timestamp + ".").Concat(rawBody).ToArray();
    var hex = Convert.ToHexString(HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), signed)).ToLowerInvariant();
    var given = Encoding.UTF8.GetBytes(headers["X-Service-Signature"].ToString());
    if (!CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes("sha256=" + hex), given))
        throw new InvalidOperationException("signature");
    if (DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp) > 300)
        throw new InvalidOperationException("age");
    return JsonDocument.Parse(rawBody);
}
