/** Options as they may be shown: no secrets. Live objects are named by what they are; addresses lose their credentials. Pure. */
import { mayBeSecretName } from '../secrets/secret-names.ts'
import { isSecretParameter } from '../secrets/shown-url.ts'

/** What options alone may hold. */
const OF_OPTIONS = /cert|pepper|^headers$/i

/** Everything inside is a secret, whatever it is called there. */
const SECRET_INSIDE = /secret|password|passphrase|credential|authorization|^headers$/i

/** Deeper than any options are: what refers to itself ends here. */
const DEEPEST = 12

export function maskOptions(value: unknown, name = '', depth = 0): unknown {
  if (typeof value === 'string') return isSecret(name) ? '[set]' : maskAddress(value)
  if (typeof value === 'function') return `[function ${value.name || 'anonymous'}]`
  // Numbers such as a limit of keys are no secret.
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (depth === DEEPEST) return '[...]'
  if (Array.isArray(value)) return value.map((item) => maskOptions(item, name, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor?.name ?? 'object'}]`
  const inside = SECRET_INSIDE.test(name)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskOptions(item, inside ? name : key, depth + 1)])
  )
}

function isSecret(name: string): boolean {
  return OF_OPTIONS.test(name) || mayBeSecretName(name)
}

/** What precedes the host of a URL, and parameters that are named like a secret. */
function maskAddress(text: string): string {
  return text
    .replace(/\/\/\S*@/g, '//***@')
    .replace(/([?&;]([^=&;\s]+)=)[^&;\s]*/g, (whole, start: string, name) =>
      isSecretParameter(String(name)) ? `${start}***` : whole
    )
}
