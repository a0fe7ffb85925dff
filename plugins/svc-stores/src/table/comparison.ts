/** How two values compare, in plain code. Pure. */
import type { Comparison } from './condition.ts'

/** @param order below 0 where the first lies below the second */
export function isMet(comparison: Comparison, order: number): boolean {
  switch (comparison) {
    case 'eq':
      return order === 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
  }
}
