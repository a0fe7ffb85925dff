/** An HTTP/1.1 answer as it came over the wire, read without a client library that would tidy it up. */

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The answer as it came, one character per byte. */
  readonly text: string
}

/**
 * How many characters of `text` are its first answer; `null` while it is not whole.
 * An answer without a length, such as one to HEAD, is whole when the server closes.
 */
export function wholeLength(text: string): number | null {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  if (/^HTTP\/1\.1 (?:101|204|304)/.test(text)) return end + 4
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return length !== undefined && text.length >= end + 4 + Number(length) ? end + 4 + Number(length) : null
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  )
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString()
  return { status: Number(statusLine.split(' ')[1]), headers, body, text }
}
