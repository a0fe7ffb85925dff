/** The name of an application: it becomes a folder and an npm package. Pure. */

const ALLOWED = /^[a-z][a-z0-9-]{0,63}$/

/** The rule, in words for a person. */
export const NAME_RULE = 'a-z first, then a-z, 0-9 and -, at most 64 characters'

/** @param taken names it may not have, such as those of its own dependencies */
export function isAppName(name: string, taken: readonly string[] = []): boolean {
  return ALLOWED.test(name) && !taken.includes(name) && name !== 'node-modules'
}

/** The nearest allowed name: `Shop!` becomes `shop`, `apps/My Shop` becomes `my-shop`. */
export function cleanAppName(name: string, taken: readonly string[] = []): string {
  const last = name.split(/[\\/]/).filter(Boolean).at(-1) ?? ''
  const cleaned = last
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 60)
  if (cleaned === '') return 'my-app'
  return isAppName(cleaned, taken) ? cleaned : `${cleaned}-app`
}
