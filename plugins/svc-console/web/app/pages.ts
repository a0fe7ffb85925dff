/** The pages of the console. Another one is a folder below `pages/` and an entry here. */
import type { PageEntry } from './page.ts'

export const PAGES: readonly PageEntry[] = [
  {
    name: 'audit',
    title: 'Audit',
    key: 'a',
    api: 'audit',
    module: 'audit',
    load: () => import('../pages/audit/audit-page.tsx')
  }
]
