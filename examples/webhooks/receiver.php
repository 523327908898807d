<?php
// $rawBody = file_get_contents('php://input');  $headers = array_change_key_case(getallheaders());
function verify_webhook(string $rawBody, array $headers, string $secret): array {
    $timestamp = $headers['x-service-timestamp'] ?? '';
    $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$rawBody", $secret);
    if (!hash_equals($expected, $headers['x-service-signature'] ?? '')) throw new Exception('signature');
    if (time() - (int) $timestamp > 300) throw new Exception('age');
    return json_decode($rawBody, true, 64, JSON_THROW_ON_ERROR);
}
