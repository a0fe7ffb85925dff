/** A plain record of each brick, with what a case wants to be different. */
import type { AuditEvent } from '../contracts/audit-store.ts'
import type { NewPasskey } from '../contracts/passkeys-store.ts'
import type { NewSession } from '../contracts/session-store.ts'
import type { NewToken } from '../contracts/tokens-store.ts'
import type { NewWebhook } from '../contracts/webhooks-store.ts'

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

export function aWebhook(given: Partial<NewWebhook> = {}): NewWebhook {
  return {
    id: 'wh_1',
    url: 'https://receiver.example/hook',
    secretEnc: 'gcm1.c2VjcmV0',
    events: ['login.failure'],
    enabled: true,
    description: 'the receiver',
    tenantId: null,
    createdBy: 'admin',
    metadata: { team: 'a' },
    ...given
  }
}

export function anEvent(given: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: 'aud_1',
    ts: Date.UTC(2026, 0, 1),
    category: 'auth',
    action: 'login.failure',
    outcome: 'failure',
    actor: 'alice',
    resource: null,
    reason: 'invalid_credentials',
    ip: '192.0.2.1',
    userAgent: 'test',
    requestId: 'req-1',
    metadata: { attempt: 1 },
    ...given
  }
}
