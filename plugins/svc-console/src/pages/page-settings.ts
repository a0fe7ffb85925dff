/** What a page is told before its first request: the plugin writes it into the document, and the scripts of the page read it. */

/** What the application depends on, and does not answer. */
export interface ServiceOutage {
  readonly name: string
  /** Epoch ms. */
  readonly since: number
}

export interface PageSettings {
  /** Path of the console, without a slash at its end. */
  readonly base: string
  /** Name of the application; `null` where it was not loaded from a config. */
  readonly application: string | null
  /** What the application serves, of what the console can show. */
  readonly apis: readonly string[]
  readonly view: 'console' | 'sign-in' | 'refused' | 'unavailable'
  /** Who asked; `null` on the sign-in page. */
  readonly user: { readonly identifier: string; readonly roles: readonly string[] } | null
  /** Where a sign-in leads to; of a page that cannot be shown, itself. */
  readonly returnTo: string
  /** Of a page that cannot be shown: what does not answer. */
  readonly outages: readonly ServiceOutage[]
}
