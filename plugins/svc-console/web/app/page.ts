/** What a page is. */
import type { ComponentType } from 'preact'

export interface PageProps {
  /** The segments of the address behind the page's name. */
  readonly rest: readonly string[]
}

export interface PageEntry {
  /** First segment of its address. */
  readonly name: string
  readonly title: string
  /** Behind `g`, on the keyboard. */
  readonly key: string
  /** Of the settings: what has to be served for it; `null` for nothing in particular. */
  readonly api: string | null
  /** Word of `svc module:add` that brings the API. */
  readonly module: string
  /** The navigation leaves it out where its API is not served. */
  readonly optional?: true
  /** When a module that is there does not serve the API. */
  readonly condition?: string
  readonly load: () => Promise<{ default: ComponentType<PageProps> }>
}
