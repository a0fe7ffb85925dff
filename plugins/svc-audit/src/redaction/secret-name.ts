/** Which names announce a secret. `accessToken` does, `tokenId` does not: it names the token without giving it away. Pure. */

/** Anywhere in the name. */
const ALWAYS = new Set([
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'authorization',
  'cookie',
  'cookies',
  'bearer',
  'jwt'
])

/** At its end. */
const LAST = new Set(['token', 'tokens', 'credential', 'credentials', 'apikey', 'otp', 'pin', 'passcode', 'signature'])

/** `key` at the end, after one of these. */
const KEYS = new Set(['api', 'private', 'encryption', 'signing', 'access', 'session'])

export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  if (words.some((word) => ALWAYS.has(word))) return true
  const last = words.at(-1) ?? ''
  return LAST.has(last) || (/^keys?$/.test(last) && KEYS.has(words.at(-2) ?? ''))
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
