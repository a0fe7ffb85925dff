/** What answers are computed with, on the data that the shop was filled with. */
import type { OrderData } from './shop-data.ts'

export const byNumber = { order: [['number', 'ASC']] } as const

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
export const sorted = <T>(values: readonly T[]) => [...values].sort((a, b) => (a < b ? -1 : 1))
export const keysOf = (values: readonly string[]) => sorted([...new Set(values)])
export const newestFirst = (orders: readonly OrderData[]) => [...orders].sort((a, b) => b.placedAt - a.placedAt)
