/** Text from outside, made fit for a log line or an audit field: control characters escaped, length bounded. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const LIMIT = 256

export function printable(text: string): string {
  const cut = text.length > LIMIT ? `${text.slice(0, LIMIT - 3)}...` : text
  return cut.replace(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
