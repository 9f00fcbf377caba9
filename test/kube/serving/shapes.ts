/** Requests of unusual shape, by what is unusual in them. */

const GET = "GET /version HTTP/1.1\r\nHost: HOST\r\nTOKEN\r\nConnection: close\r\n";
const POST =
  "POST /api/v1/namespaces HTTP/1.1\r\nHost: HOST\r\nTOKEN\r\nConnection: close\r\nContent-Type: application/json\r\n";

export const SHAPES: Readonly<Record<string, string>> = {
  "a plain request": `${GET}\r\n`,
  "HTTP/1.0": "GET /version HTTP/1.0\r\nHost: HOST\r\nTOKEN\r\n\r\n",
  "HTTP/1.0 without a Host": "GET /version HTTP/1.0\r\nTOKEN\r\n\r\n",
  "no HTTP": "hello\r\n\r\n",
  "no Host": "GET /version HTTP/1.1\r\nTOKEN\r\nConnection: close\r\n\r\n",
  "two Hosts": `${GET}Host: example.com\r\n\r\n`,
  "a foreign Host": "GET /version HTTP/1.1\r\nHost: example.com\r\nTOKEN\r\nConnection: close\r\n\r\n",
  "an Origin": `${GET}Origin: https://example.com\r\n\r\n`,
  "a whole URI": `${GET.replace("/version", "https://HOST/version")}\r\n`,
  "10,000 headers": `${GET}${"X: y\r\n".repeat(10_000)}\r\n`,
  "20 KB of headers": `${GET}X: ${"y".repeat(20_000)}\r\n\r\n`,
  "2 MB of headers": `${GET}${`X: ${"y".repeat(1000)}\r\n`.repeat(2000)}\r\n`,
  "both lengths": `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "two lengths": `${POST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
  "a negative length": `${POST}Content-Length: -1\r\n\r\n`,
  "an unknown transfer encoding": `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  "a chunk size that is none": `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
  "an unknown expectation": `${POST}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`,
  "a body of 3 MB and a byte": `${POST}Content-Length: ${3 * 2 ** 20 + 1}\r\n\r\n${" ".repeat(3 * 2 ** 20 + 1)}`,
  "the same in a chunk": `${POST}Transfer-Encoding: chunked\r\n\r\n300001\r\n${" ".repeat(3 * 2 ** 20 + 1)}\r\n0\r\n\r\n`,
};
