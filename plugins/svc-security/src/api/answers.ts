/** What the routes of svc-security answer. An answer shows the properties it declares and no others. */
import {
  flag,
  integer,
  integerOrNull,
  listOf,
  mapOf,
  object,
  objectOrNull,
  text,
  textOrNull,
  texts
} from 'svc-kernel/schemas'

const time = { ...integer, description: 'epoch ms' } as const
const timeOrNull = { ...integerOrNull, description: 'epoch ms' } as const

/** A page of a listing, beside its items. */
const paging = { limit: integer, offset: integer, hasNext: flag } as const

export const done = object({ ok: flag })

const caller = object({ identifier: text, roles: texts })

export const signedIn = object({ user: caller })
export const codeDue = object({ mfaRequired: { type: 'boolean', const: true }, methods: texts })
export const ownSession = object({ csrfToken: text })
export const me = object({ ...signedIn.properties, ...ownSession.properties })

export const tokens = object({
  access_token: text,
  refresh_token: text,
  token_type: text,
  expires_in: { ...integer, description: 'seconds' },
  scope: text
})

export const publicKeys = object({
  keys: listOf(object({ kty: text, crv: text, x: text, kid: text, use: text, alg: text }))
})

export const ownSessions = object({
  sessions: listOf(
    object({ ref: text, current: flag, ip: textOrNull, userAgent: textOrNull, createdAt: time, updatedAt: time })
  ),
  ...paging
})

export const sessions = object({
  items: listOf(
    object({
      ref: text,
      user: textOrNull,
      ip: textOrNull,
      userAgent: textOrNull,
      device: textOrNull,
      createdAt: time,
      updatedAt: time
    })
  ),
  ...paging
})

export const endedSessions = object({ count: integer, grants: integer })
export const endedOfUser = object({ revoked: integer, grants: integer })

export const grants = object({
  grants: listOf(object({ ref: text, device: textOrNull, scopes: texts, renewedAt: time, expiresAt: timeOrNull }))
})

export const totpSecret = object({ secret: text, uri: text })
export const recoveryCodes = object({ recoveryCodes: texts })
const totpState = { enabled: flag, recoveryCodesLeft: integer } as const
export const totpStatus = object(totpState)

/** As the browser takes them (WebAuthn level 3, 5.1.8 and 5.1.9). */
export const passkeyOptions = { ...object({ challenge: text }), additionalProperties: true } as const

export const passkey = object({
  id: text,
  nickname: textOrNull,
  transports: texts,
  backupEligible: flag,
  backupState: flag,
  createdAt: time,
  lastUsedAt: timeOrNull
})
export const newPasskey = object({ credential: passkey })
export const passkeys = object({ credentials: listOf(passkey) })

export const authorizationPage = object({ url: text })

const socialAccounts = listOf(object({ provider: text, linkedAt: time }))

export const providerLogout = object({
  url: { ...textOrNull, description: 'where the browser logs out at the provider; null if it has no such page' }
})

export const linkedAccounts = object({
  accounts: socialAccounts,
  providers: { ...texts, description: 'every provider that an account can be linked of' }
})

const userView = {
  id: text,
  identifier: text,
  roles: texts,
  enabled: flag,
  locked: flag,
  socialAccounts,
  createdAt: { ...timeOrNull, description: 'epoch ms; null if the application keeps its users itself' },
  updatedAt: timeOrNull
} as const

export const user = object(userView)
export const users = object({ items: listOf(user), total: integer, ...paging })
export const changedUser = object({
  ...userView,
  warnings: { ...texts, description: 'a sentence for each role that nothing asks for' }
})

/** Null where the application has none of the kind. */
export const factors = object({
  totp: objectOrNull(totpState),
  passkeys: {
    type: ['array', 'null'],
    items: object({ id: text, nickname: textOrNull, backupState: flag, createdAt: time, lastUsedAt: timeOrNull })
  },
  socialAccounts
})

const keyView = {
  id: text,
  name: textOrNull,
  subject: text,
  tenantId: textOrNull,
  scopes: texts,
  createdAt: time,
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  revokedAt: timeOrNull,
  revokedReason: textOrNull
} as const

export const apiKey = object(keyView)
export const newApiKey = object({ ...keyView, token: text })
export const ownApiKeys = object({ keys: listOf(apiKey) })
export const apiKeys = object({ keys: listOf(apiKey), total: integer, ...paging })
export const revokedApiKey = object({ ok: flag, key: apiKey })

export const firewall = object({
  zones: listOf(object({ name: text, pattern: text, authenticators: texts, mode: text, realtime: flag })),
  routes: listOf(
    object({
      method: text,
      path: text,
      transports: texts,
      zone: textOrNull,
      authenticators: texts,
      anonymous: flag,
      bypassFirewall: flag,
      session: textOrNull,
      requirement: textOrNull,
      name: textOrNull
    })
  )
})

export const roles = object({
  hierarchy: mapOf(texts),
  roles: listOf(object({ role: text, inherits: texts })),
  known: { ...texts, description: 'every role that a guard or the hierarchy names' }
})

const outcome = { decision: text, status: integerOrNull, reason: textOrNull } as const

export const explanation = object({
  method: text,
  path: text,
  caller: object({ identifier: text, roles: texts, scopes: texts }),
  route: objectOrNull({
    name: textOrNull,
    path: text,
    anonymous: flag,
    bypassFirewall: flag,
    params: mapOf(text)
  }),
  zone: objectOrNull({ name: text, pattern: text, mode: text, authenticators: texts }),
  proofs: listOf(
    object({
      authenticator: textOrNull,
      token: textOrNull,
      clauses: listOf(
        object({
          granted: flag,
          attributes: listOf(
            object(
              {
                attribute: text,
                granted: flag,
                reason: textOrNull,
                votes: listOf(object({ voter: text, vote: text }, { reason: text }))
              },
              { subject: object({ param: text }, { value: text }) }
            )
          )
        })
      ),
      ...outcome
    })
  ),
  ...outcome,
  note: textOrNull
})

export const matrix = object({
  roles: texts,
  allRoles: texts,
  items: listOf(object({ method: text, path: text, name: textOrNull, requirement: textOrNull, cells: texts })),
  ...paging
})

/** As whom a session acts; null where as its own user. */
export const impersonation = object({
  acting: objectOrNull({ user: text, reason: text, write: flag, since: time, until: time })
})

/** What one user may do, and what refuses the rest. */
export const userAccess = object({
  user: object({ identifier: text, roles: texts, barred: textOrNull }),
  items: listOf(
    object({
      method: text,
      path: text,
      name: textOrNull,
      requirement: textOrNull,
      access: { enum: ['granted', 'refused', 'depends'] },
      reason: textOrNull,
      lacking: { ...texts, description: 'attributes of the guard of which the user lacks one' }
    })
  ),
  ...paging
})

export const lints = object({
  items: listOf(object({ code: text, message: text }, { at: text, got: text, expected: text, fix: text, more: text })),
  total: integer
})

/** A redirect: the browser goes on at `Location`. */
export const redirect = { type: 'null', description: 'goes on at the address in Location' } as const
