/** Rate limits and who spends them, of svc-limits. */
import type { LimitList, LimitSpending } from 'svc-limits/wire'
import { call, withQuery } from '../../app/api.ts'

export type Limit = LimitList['limits'][number]
export type { LimitList, LimitSpending }

const API = '/svc/limits/api'

export const readLimits = () => call<LimitList>('GET', `${API}/limits`)
export const readSpending = (limit: string) => call<LimitSpending>('GET', withQuery(`${API}/spending`, { limit }))
