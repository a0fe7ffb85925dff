/** The pages of the console. Another one is a folder below `pages/` and an entry here. */
import type { PageEntry } from './page.ts'
import { serves } from './settings.ts'

export const PAGES: readonly PageEntry[] = [
  {
    name: 'audit',
    title: 'Audit',
    key: 'a',
    api: 'audit',
    module: 'audit',
    load: () => import('../pages/audit/audit-page.tsx')
  },
  {
    name: 'requests',
    title: 'Requests',
    key: 'r',
    api: 'requests',
    module: 'ops',
    load: () => import('../pages/requests/requests-page.tsx')
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    key: 'w',
    api: 'webhooks',
    module: 'webhooks',
    load: () => import('../pages/webhooks/webhooks-page.tsx')
  },
  {
    name: 'jobs',
    title: 'Jobs',
    key: 'j',
    api: 'jobs',
    module: 'jobs',
    optional: true,
    load: () => import('../pages/jobs/jobs-page.tsx')
  },
  {
    name: 'mail',
    title: 'Mail',
    key: 'e',
    api: 'mail',
    module: 'mail',
    optional: true,
    condition: 'It has an outbox in development and tests, without a transport.',
    load: () => import('../pages/mail/mail-page.tsx')
  },
  {
    name: 'access',
    title: 'Access',
    key: 'c',
    api: 'access',
    module: 'security',
    load: () => import('../pages/access/access-page.tsx')
  },
  {
    name: 'people',
    title: 'People',
    key: 'p',
    api: 'people',
    module: 'security',
    load: () => import('../pages/people/people-page.tsx')
  },
  {
    name: 'organizations',
    title: 'Organisations',
    key: 'o',
    api: 'organizations',
    module: 'organizations',
    optional: true,
    load: () => import('../pages/organizations/organizations-page.tsx')
  },
  {
    name: 'limits',
    title: 'Limits',
    key: 'l',
    api: 'limits',
    module: 'limits',
    load: () => import('../pages/limits/limits-page.tsx')
  },
  {
    name: 'data',
    title: 'Data',
    key: 'd',
    api: 'data',
    module: 'sql',
    load: () => import('../pages/data/data-page.tsx')
  },
  {
    name: 'system',
    title: 'System',
    key: 's',
    api: 'system',
    module: 'ops',
    load: () => import('../pages/system/system-page.tsx')
  },
  {
    name: 'account',
    title: 'Account',
    key: 'm',
    api: 'account',
    module: 'security',
    load: () => import('../pages/account/account-page.tsx')
  }
]

/** Those that the navigation has. */
export const listedPages = (): readonly PageEntry[] =>
  PAGES.filter(({ api, optional = false }) => !optional || api === null || serves(api))
