/** What a way back would delete, in words. Pure. */
import type { Problem } from 'svc-kernel'
import type { Loss } from './migration-port.ts'

export function lossText({ entity, column, rows }: Loss): string {
  if (rows === null) return `an uncounted number of rows of ${entity}`
  if (column === null) return `${rows} ${rows === 1 ? 'row' : 'rows'} of ${entity}`
  return `${rows} ${rows === 1 ? 'value' : 'values'} of ${entity}.${column}`
}

export function lossProblem(losses: readonly { readonly text: string }[]): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_LOSS',
    message: `the rollback deletes ${losses.map(({ text }) => text).join(', ')}; nothing was done`,
    fix: 'npx svc orm:rollback --yes, or confirm: () => true'
  }
}
