/** The beginning of a text, as much of it as fits into a number of bytes, cut between two characters. Pure. */

export function truncateUtf8(text: string | Buffer, maxBytes: number): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (bytes.length <= maxBytes) return bytes.toString()
  let end = maxBytes
  while (end > 0 && isContinuation(bytes[end])) end -= 1
  return bytes.toString('utf8', 0, end)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}
