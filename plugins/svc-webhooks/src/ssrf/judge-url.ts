/**
 * What can be said of a URL before its host is resolved: form, scheme,
 * credentials. The text is looked at as well, as the URL parser drops without
 * a word what it should not hold: control characters and an empty `:@`.
 */
import { SsrfError } from './ssrf-error.ts'

/** What stands between scheme and path. The parser reads a backslash as a slash, and any number of them. */
const AUTHORITY = /^[^:/\\?#]*:[/\\]*([^/\\?#]*)/

/**
 * The URL in its normal form: what is shown, checked and called is one string, its `href`.
 *
 * @throws SsrfError with reason `url`, `scheme` or `credentials`
 */
export function judgeUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): URL {
  if (typeof text !== 'string' || /\p{Cc}/u.test(text) || text !== text.trim()) throw new SsrfError('url')
  const url = URL.parse(text)
  if (url === null) throw new SsrfError('url')
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) throw new SsrfError('scheme')
  const [, authority = ''] = AUTHORITY.exec(text) ?? []
  if (url.username !== '' || url.password !== '' || authority.includes('@')) throw new SsrfError('credentials')
  return url
}
