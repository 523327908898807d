func VerifyWebhook(rawBody []byte, headers http.Header, secret string) error {
	timestamp := headers.Get("X-Service-Timestamp")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "." + string(rawBody)))
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	if !hmac.Equal([]byte(expected), []byte(headers.Get("X-Service-Signature"))) {
		return errors.New("signature")
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Now().Unix()-seconds > 300 {
		return errors.New("age")
	}
	return nil // Then json.Unmarshal(rawBody, &event).
}
