/**
 * One form of each login name (RFC 8265): NFC, so that the same name typed on two
 * keyboards is the same user. Names are otherwise compared exactly; the throttle
 * also folds case and blanks, so that no spelling gets attempts of its own. Pure.
 */

/** As it is looked up; an application stores its identifiers in this form. */
export function loginName(given: string): string {
  return given.normalize('NFC')
}

/** As attempts are counted. */
export function throttleName(given: string): string {
  return given.normalize('NFKC').trim().toLowerCase()
}
