/** The URL of an endpoint as it is kept: its normal form, which says in full what a short text may have abbreviated. Pure. */
import { UrlRefused } from '../errors.ts'

/** Characters. Databases sort by the URL, and their indexes take no more than a few thousand bytes. */
export const MAX_URL = 2048

/** @throws UrlRefused (422) where the normal form, in which other characters than ASCII take six or more, is too long */
export function endpointUrl({ href }: URL): string {
  if (href.length > MAX_URL) throw new UrlRefused(`the URL has more than ${MAX_URL} characters as it is sent`)
  return href
}
