/**
 * New requests for the head of the list. The channel `svc:requests` says that there are some; which of them belong to the
 * list the server decides, as for every page of it. Numbers of requests begin again with each process: after a connection
 * was made again the newest are read, and the one that is known has to be among them.
 */
import type { HeadSource } from '../../app/live-head.ts'
import { type RequestFilter, type RequestRow, readRequests } from './requests-api.ts'

export function requestHead(filter: RequestFilter): HeadSource<RequestRow> {
  return {
    channel: 'svc:requests',
    told: () => null,
    merge: (rows, known) => {
      const head = known[0]?.seq ?? 0
      const fresh = rows.filter(({ seq }) => seq > head)
      return fresh.length === 0 ? known : [...fresh, ...known]
    },
    newer: async ([head], reconnected) => {
      const { rows, next } = await readRequests(filter, null, reconnected || head === undefined ? null : head.seq)
      if (head === undefined) return { rows, complete: next === null || rows.length === 0 }
      if (!reconnected) return { rows, complete: next === null }
      return { rows, complete: rows.some(({ seq, id, at }) => seq === head.seq && id === head.id && at === head.at) }
    }
  }
}
