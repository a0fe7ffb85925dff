/** Records with every field, as cases of the suites change them. */
import type { NewPasskey } from '../factors/passkeys/passkeys-store.ts'
import type { NewSession } from '../sessions/session-store.ts'
import type { NewToken } from '../token-store/tokens-store.ts'

export function aSession(given: Partial<NewSession> = {}): NewSession {
  return { id: 's1', user: 'alice', content: { cart: [1, 2] }, flash: { info: ['hi'] }, meta: { ip: '::1' }, ...given }
}

export function aToken(given: Partial<NewToken> = {}): NewToken {
  return {
    id: 't1',
    kind: 'apikey',
    name: 'laptop',
    subject: 'alice',
    tenantId: null,
    scopes: ['orders:read'],
    secretHash: `hash of ${given.id ?? 't1'}`,
    family: null,
    expiresAt: null,
    ...given
  }
}

export function aPasskey(given: Partial<NewPasskey> = {}): NewPasskey {
  return {
    id: 'credential-1',
    userId: 'alice',
    publicKey: 'pQECAyYgASFYIA',
    counter: 0,
    transports: ['internal'],
    backupEligible: true,
    backupState: false,
    nickname: 'phone',
    ...given
  }
}
