/**
 * Which names say that a value is a secret: the one list of the framework. Whatever shows values by name asks here, so that
 * what one place masks no other shows. Pure.
 */

/** Words that announce a secret anywhere in a name. */
const ALWAYS = new Set([
  ...['password', 'passwords', 'passwd', 'passphrase', 'pwd', 'secret', 'secrets'],
  ...['authorization', 'cookie', 'cookies', 'bearer', 'jwt']
])

/** At the end of a name. */
const LAST = new Set([
  ...['token', 'tokens', 'credential', 'credentials', 'apikey', 'apikeys', 'otp', 'pin', 'passcode', 'signature']
])

/** At the end, after one of these. */
const PAIRS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['key', new Set(['api', 'private', 'encryption', 'signing', 'access', 'session'])],
  ['code', new Set(['recovery', 'backup', 'reset'])]
])

/** What is made of a secret gives it away as well: `tokenHash`. */
const DERIVED = new Set(['hash', 'hashes', 'digest', 'encrypted', 'enc', 'seed', 'salt'])

/** `accessToken` announces a secret, `tokenId` does not: it names the token without giving it away. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  if (words.some((word) => ALWAYS.has(word))) return true
  while (words.length > 1 && DERIVED.has(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1) ?? ''
  return LAST.has(last) || PAIRS.get(last.replace(/s$/, ''))?.has(words.at(-2) ?? '') === true
}

const NEVER: readonly string[] = ['boolean', 'date', 'day']

/** The same of a field of an entity: whether there is a secret, and when it was changed, is none. */
export function isSecretField(name: string, type: string): boolean {
  return !NEVER.includes(type) && isSecretName(name)
}

const LIKELY = /pass|secret|token|hash|key|salt|credential|otp|\bpin\b|cookie|private/i

/** Rather one too many, where values of strangers are shown: `isSecretName`, and what merely sounds like it. */
export function mayBeSecretName(name: string): boolean {
  return LIKELY.test(name) || isSecretName(name)
}

/** Words of `camelCase`, `snake_case`, `kebab-case` and `HTTPHeader` names, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 128)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
}
