/** The configuration that `svc create app` writes, with three zones, signed tokens and a user. */
import svcDecorators from 'svc-decorators'
import { defineConfig } from 'svc-host'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { alice, LIFETIME_S } from '../accounts.ts'

export default defineConfig({
  name: 'bench',
  mode: 'production',
  server: { logger: false },
  modules: [
    [
      svcSecurity,
      {
        areas: {
          public: { pattern: '^/public', authenticators: ['anonymous'] },
          keys: { pattern: '^/keys', authenticators: ['apikey'] },
          tokens: { pattern: '^/tokens', authenticators: ['jwt'] }
        },
        roleHierarchy: { ROLE_ADMIN: ['ROLE_USER'] },
        jwt: { accessTtlS: LIFETIME_S, keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
        parts: { users: { findByIdentifier: (name: string) => (name === alice.identifier ? alice : null) } }
      }
    ],
    [svcDecorators, { dir: './controllers' }]
  ]
})
