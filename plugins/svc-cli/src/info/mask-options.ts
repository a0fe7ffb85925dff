/** Options as they may be shown: nothing that proves, opens or signs. Pure. */

const SECRET = /secret|password|passphrase|key|token|credential|cert|salt|pepper/i

/** Live objects are named by what they are; addresses lose their credentials. */
export function maskOptions(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return SECRET.test(name) ? '[set]' : value.replace(/\/\/[^/@\s]*@/g, '//***@')
  if (typeof value === 'function') return `[function ${value.name || 'anonymous'}]`
  if (typeof value !== 'object' || value === null)
    return SECRET.test(name) && value !== null && typeof value !== 'boolean' ? mask(value) : value
  if (Array.isArray(value)) return value.map((item) => maskOptions(item, name))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor?.name ?? 'object'}]`
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskOptions(item, key)]))
}

/** Numbers such as a limit of keys are no secret. */
function mask(value: unknown): unknown {
  return typeof value === 'number' ? value : '[set]'
}
