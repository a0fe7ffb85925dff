/** What a list of requests is asked for, and which records that is. Pure. */
import { startOf } from './record-view.ts'
import type { RequestRecord } from './request-record.ts'

export interface RequestFilter {
  /** Part of what names a request: its URL, route, handler, user, address, zone, error or id, in any case. */
  readonly q?: string
  readonly method?: string
  /** `404`, or a class: `4xx`. */
  readonly status?: string
  /** Part of the template, or of the URL where no route answered. */
  readonly route?: string
  readonly user?: string
  readonly error?: string
  readonly zone?: string
  /** `false` leaves out what svc's own routes answered, `true` leaves the rest out. */
  readonly own?: boolean
  /** Those that took as long, in milliseconds. */
  readonly minMs?: number
  /** Epoch ms, inclusive. */
  readonly since?: number
  readonly until?: number
}

/** Everything that svc serves by itself lies there. */
const OWN = '/svc/'

/** Whether svc itself was asked, as by the console, and not the application. */
export function isOwn({ route, url }: RequestRecord): boolean {
  return (route ?? url).startsWith(OWN)
}

/** `own` is not looked at: who asks knows where those are. */
export function requestMatcher(filter: RequestFilter): (record: RequestRecord) => boolean {
  const { method, status, user, error, zone, minMs = 0, since = 0, until = Number.POSITIVE_INFINITY } = filter
  const part = filter.route?.toLowerCase()
  const term = filter.q?.toLowerCase()
  return (record) =>
    (method === undefined || record.method === method) &&
    (status === undefined || hasStatus(record.status, status)) &&
    (part === undefined || (record.route ?? record.url).toLowerCase().includes(part)) &&
    (user === undefined || record.user === user) &&
    (error === undefined || record.error === error) &&
    (zone === undefined || record.zone === zone) &&
    record.durationUs >= minMs * 1000 &&
    (since === 0 || startOf(record) >= since) &&
    (until === Number.POSITIVE_INFINITY || startOf(record) <= until) &&
    (term === undefined || names(record).some((text) => text?.toLowerCase().includes(term) === true))
}

function names({ url, route, handler, user, ip, zone, error, id }: RequestRecord): readonly (string | null)[] {
  return [url, route, handler, user, ip, zone, error, id]
}

function hasStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}
