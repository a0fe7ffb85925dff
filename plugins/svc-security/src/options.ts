/** The options of svc-security. Functions and live objects are passed under `parts`, see `SvcSecurityParts`. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import * as forms from './schema-forms.ts'
import { closed, factor, longText, milliseconds, role, seconds, section, text, words } from './schema-forms.ts'

export const MAX_EXPIRY_DAYS = 3650

const area = {
  required: ['pattern', 'authenticators'],
  ...closed({
    /** Routes of the zone: a regular expression (flag `u`), matched against the full template of a route. */
    pattern: { type: 'string', format: 'regex' },
    /** Names of authenticators, tried in this order. */
    authenticators: { type: 'array', minItems: 1, uniqueItems: true, items: text },
    /** `first`: the first authenticator that supports the request decides. `all`: every authenticator must succeed. */
    mode: { enum: ['first', 'all'], default: 'first' },
    /** `false` withholds the identity from WebSocket upgrades, so guarded WebSocket routes answer 403. */
    realtime: { type: 'boolean', default: true },
    /** Closes a WebSocket without `liveness`, accounts and `expiresAt` after this time, in seconds; 0: never. */
    uncheckedSocketS: { type: 'integer', minimum: 0, maximum: 31_536_000, default: 60 },
    /** `true` accepts HTTP Basic also from users with a second factor, which Basic cannot ask for. */
    basicWithoutSecondFactor: { type: 'boolean', default: false },
    /** `aud` of the access tokens of the zone (RFC 8707): it takes no others, and no other zone takes them. Without it, `jwt.audience`. */
    audience: { ...longText, maxLength: 500 },
    /** The second factor that logins need in the zone: `totp`, `passkey` or `any`. Without it, none. */
    requireFactor: factor
  })
} as const

const oauth2Provider = {
  required: ['issuer', 'clientId'],
  ...closed({
    /** Address of the provider, below which its discovery document lies; `https`, or `http` on the loopback. */
    issuer: forms.providerUrl,
    /** Client id of the application at the provider. */
    clientId: longText,
    /** Client secret; leave it out for a public client. */
    clientSecret: longText,
    /** Scopes to request; `openid` must be among them. */
    scopes: { type: 'array', default: ['openid'], contains: { const: 'openid' }, items: longText },
    /** Values of `amr` and `acr` with which a login at the provider counts as one with a second factor. */
    secondFactor: { type: 'array', default: [], items: longText },
    /** Values that a claim of the ID token must have, by claim, such as `hd` or `tid`; a list of texts each. */
    requireClaims: { type: 'object', default: {}, additionalProperties: forms.someTexts },
    /** Accounts that a first login creates. Without the section, a user links an account first. */
    accounts: closed({
      /** `true` creates an account at the first login of a person. */
      create: { type: 'boolean', default: false },
      /** Domains of the addresses that get an account; without any, every domain. */
      domains: { type: 'array', default: [], items: forms.domainName },
      /** Roles of a created account. */
      roles: { type: 'array', default: ['ROLE_USER'], items: role },
      /** `false` also takes an address that the provider has not verified. */
      requireVerifiedEmail: { type: 'boolean', default: true },
      /** What an account is named by: `email`, `sub` (as `provider:sub`), or another claim of the ID token. */
      identifier: { ...longText, default: 'email' }
    })
  })
} as const

const userEntity = {
  required: ['name', 'identifier', 'password'],
  ...closed({
    /** The entity that holds the users. */
    name: text,
    /** Connector of the entity. Without it, the default connector. */
    connector: text,
    /** Field of the login name; it must be unique. */
    identifier: text,
    /** Field of the password hash, in the form of `userAccounts.hashPassword`. */
    password: text,
    /** Field of the roles, a list of strings. Without it, every user has `ROLE_USER`. */
    roles: text,
    /** Boolean field of enabled users. Without it, `enabled` and `active`, if the entity has them. */
    enabled: text,
    /** Boolean field of locked users. Without it, `locked` and `isLocked`, if the entity has them. */
    locked: text
  })
} as const

export const optionsSchema = {
  $id: 'svc-security/options',
  ...closed({
    /** Zones by name; if several match a route, the first one applies. */
    areas: { type: 'object', default: {}, additionalProperties: area },
    /** Users get roles of this list, the hierarchy and guards only. Without it, unknown roles are warned of. */
    declaredRoles: { type: 'array', maxItems: 1000, items: role },
    /** The roles that a role inherits; a cycle fails the boot. */
    roleHierarchy: { ...forms.rolesByRole, default: {} },
    /** The second factor that logins of a role need, by role: `totp`, `passkey` or `any`. */
    requireFactor: { type: 'object', default: {}, propertyNames: role, additionalProperties: factor },
    jury: section({
      /** Longest time for one vote, in milliseconds. */
      voterTimeoutMs: { ...milliseconds, default: 1000 }
    }),
    /** Which pages may make changes with the session of a browser. */
    csrf: section({
      /** `false` accepts changes with a session from any page, without a CSRF token. */
      enabled: { type: 'boolean', default: true },
      /** Origins besides the server's own whose pages may open a WebSocket or change something. */
      trustedOrigins: { type: 'array', default: [], items: { type: 'string', format: 'origin' } }
    }),
    /** One-time codes as a second factor. The section switches them on. */
    totp: closed({
      /** Where enrolments of one-time codes are stored; the section `totp` switches one-time codes on. */
      store: storeOption,
      /**
       * 32 bytes, base64: encrypts the stored secrets. To replace the key, give a list: the first key encrypts, every
       * key decrypts. Required in production; otherwise a key of the process is used, with a warning.
       */
      encryptionKey: { anyOf: [text, { type: 'array', minItems: 1, items: text }] },
      /** Name in authenticator apps. Without it, the name of the application. */
      issuer: { ...text, maxLength: 100, pattern: '^[^:]+$', expected: 'a text without colons' }
    }),
    /** Passkeys: registration and login. The section switches them on. */
    passkeys: {
      required: ['rpId', 'origins'],
      ...closed({
        /** Where passkeys are stored; the section `passkeys` switches passkeys on. */
        store: storeOption,
        /** The domain of the passkeys; they work on it and its subdomains, and cannot move to another domain. */
        rpId: forms.domainName,
        /** Name in browser dialogs. Without it, the name of the application. */
        rpName: { ...text, maxLength: 100 },
        /** Origins whose pages may use passkeys, such as `https://shop.example`. */
        origins: { type: 'array', minItems: 1, items: { type: 'string', format: 'origin' } }
      })
    },
    /** OpenID Connect logins. The section switches them on. */
    oauth2: {
      required: ['publicUrl', 'providers'],
      ...closed({
        /** Public origin, such as `https://shop.example`, of the callbacks. The section `oauth2` switches logins on. */
        publicUrl: { type: 'string', format: 'origin' },
        /** Path for the browser after a login or a link; with `mfaRequired` in the query if a code is due. */
        landingPath: { ...forms.localPath, default: '/' },
        /** Where it is stored which sessions began at a provider. */
        store: storeOption,
        /** Providers by the name in the path of their routes. */
        providers: { type: 'object', propertyNames: forms.providerName, additionalProperties: oauth2Provider }
      })
    },
    /** Browser logins. The section, or a zone that lists `session`, switches them on. */
    session: section({
      /** Where sessions are stored. */
      store: storeOption,
      /** A session ends after this time without a request, in seconds; 0 for no limit. */
      idleTimeoutS: { ...seconds, default: 1800 },
      /** A session ends after this time in any case, in seconds; 0 for no limit. */
      absoluteTimeoutS: { ...seconds, default: 43_200 },
      /** Allowed age of a login or confirmation to change a factor, a key or a role, in seconds; `null`: any. */
      recentProofS: { type: ['integer', 'null'], minimum: 1, maximum: 86_400, default: 600 },
      /** Name of the cookie; over TLS with the prefix `__Host-`. */
      cookieName: { ...forms.cookieName, default: 'svc_session' },
      /** `Secure` and `__Host-`: `auto` for requests over TLS; `always` behind a proxy that hides the protocol. */
      secureCookie: { enum: ['auto', 'always'], default: 'auto' },
      /** Provides `request.session` and `request.cookies` by @fastify plugins; `false` leaves both to you. */
      shared: { type: 'boolean', default: true },
      /** How often expired sessions are removed, in seconds. */
      purgeIntervalS: { ...seconds, minimum: 1, default: 600 }
    }),
    /** Where users are stored. The section, or `parts.users`, switches logins on. */
    users: section({
      /** Where users are stored, unless `users.entity` or `parts.users` is set. */
      store: storeOption,
      /** An entity of your application that holds the users, through svc-orm. */
      entity: userEntity
    }),
    /** Acting as another user. The section switches it on. */
    impersonation: {
      required: ['role'],
      ...closed({
        /** Role that may act as users who administer nothing; by itself read-only. The section switches this on. */
        role,
        /** Role that may also make changes as another user. Without it, nobody may. */
        writeRole: role,
        /** Longest time, in minutes. */
        maxMinutes: { type: 'integer', minimum: 1, maximum: 480, default: 15 }
      })
    },
    /** Rules for new passwords, the cost of a hash, and how many are computed at the same time. */
    passwords: section({
      /** Minimum length of a new password; logins do not check it. Use 15 if there is no second factor. */
      minLength: { type: 'integer', minimum: 1, maximum: 128, default: 8 },
      /** Words that a new password may not contain, besides the name of its user and of the application. */
      contextWords: { ...words, default: [] },
      /** List of breached passwords, relative to the application: a file of SHA-1 in order, or a folder of ranges. */
      breached: text,
      /** A hash like your imported ones, of any password: a failed login then does the work of both kinds. */
      decoyHash: { ...text, maxLength: 1024 },
      /** Memory of one argon2id hash, in KiB. */
      memoryKib: { type: 'integer', minimum: 7168, maximum: 1_048_576, default: 19_456 },
      /** Passes of argon2id over that memory. */
      passes: { type: 'integer', minimum: 1, maximum: 99, default: 2 },
      /** Lanes of argon2id. */
      parallelism: { type: 'integer', minimum: 1, maximum: 16, default: 1 },
      /** Hashes computed at the same time, on Node's thread pool. */
      maxConcurrent: { type: 'integer', minimum: 1, maximum: 64, default: 2 },
      /** Realm of the Basic challenge. */
      realm: { ...forms.realm, default: 'svc' },
      /** Hashes that may wait; beyond that, logins answer 503. */
      maxQueue: { type: 'integer', minimum: 0, maximum: 10_000, default: 64 }
    }),
    /** How guessing of passwords and codes is throttled. */
    rateLimit: section({
      /** `false` switches off the throttling of password and code guessing. */
      enabled: { type: 'boolean', default: true },
      /** Where failed attempts are counted, for all instances together. */
      store: storeOption,
      /** Failures in a row without a delay, per name; ten times as many per network. */
      freeAttempts: { type: 'integer', minimum: 0, maximum: 1000, default: 3 },
      /** Delay after the next failure, in seconds; it doubles with each further failure. */
      baseDelayS: { type: 'integer', minimum: 1, maximum: 3600, default: 1 },
      /** The longest delay, in seconds. */
      capDelayS: { type: 'integer', minimum: 1, maximum: 86_400, default: 900 }
    }),
    /** Answers to requests with an `Idempotency-Key`. */
    idempotency: section({
      /** Where answers to requests with an `Idempotency-Key` are stored, encrypted. */
      store: storeOption,
      /** How long a stored answer is repeated, in milliseconds. */
      ttlMs: { type: 'integer', minimum: 1000, maximum: 604_800_000, default: 600_000 }
    }),
    realtime: section({
      /** Shortest time between two identity checks of an open WebSocket, in milliseconds; 0: before each message. */
      revalidateWindowMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 250 }
    }),
    /** Signed access tokens. The section, or a zone that lists `jwt`, switches them on. */
    jwt: section({
      /** `iss` of every token. */
      issuer: { ...text, maxLength: 500, default: 'svc' },
      /** `aud` of every token; tokens with another audience are refused. Without it, the issuer. */
      audience: { ...text, maxLength: 500 },
      /** `Authorization` schemes of access tokens, case-insensitive; challenges and `token_type` name the first. */
      schemes: { ...forms.tokenSchemes, default: ['Bearer'] },
      /** Lifetime of an access token, in seconds; at most a day. */
      accessTtlS: { type: 'integer', minimum: 1, maximum: 86_400, default: 900 },
      /** Lifetime of a refresh token, in seconds. */
      refreshTtlS: { type: 'integer', minimum: 1, maximum: 31_536_000, default: 604_800 },
      /** How long a replaced refresh token returns its successor, for parallel renewals, in seconds; 0 for never. */
      refreshGraceS: { type: 'integer', minimum: 0, maximum: 60, default: 10 },
      /** Binds tokens to keys of their callers (RFC 9449): `allowed` if a caller sends a proof, `required` always. */
      dpop: { enum: ['off', 'allowed', 'required'], default: 'off' },
      /** Lifetime of a nonce of the server, which proofs must then contain, in seconds; 0 for no nonces. */
      dpopNonceS: { type: 'integer', minimum: 0, maximum: 3600, default: 0 },
      /** Origins that proofs may name, for a proxy that changes the host. Without any, that of the request. */
      dpopOrigins: { type: 'array', default: [], items: { type: 'string', format: 'origin' } },
      /** Allowed clock difference between instances, in seconds. */
      clockToleranceS: { type: 'integer', minimum: 0, maximum: 300, default: 0 },
      /** The key set as JSON; takes precedence over `jwt.dir`. */
      keySetJson: text,
      /** Folder of `keyset.json`, relative to the application; the first start creates the file with mode 0600. */
      dir: text,
      /** Verified signatures to cache for up to a minute, at most 1 MiB of tokens; 0 caches none. */
      cacheSize: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 1000 }
    }),
    /** API keys for machines. The section, or a zone that lists `apikey`, switches them on. */
    apiKeys: section({
      /** Prefix of every API key, before `_`: 1 to 12 of `[a-z0-9]`. */
      prefix: { type: 'string', pattern: '^[a-z0-9]{1,12}$', default: 'svc' },
      /** Default lifetime of a key, in days; `null` for no expiry. */
      defaultExpiryDays: { type: ['integer', 'null'], minimum: 1, maximum: MAX_EXPIRY_DAYS, default: 90 },
      /** Valid keys per user; beyond that, 409. */
      maxPerSubject: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      /** Shortest time between two updates of a key's last use, in seconds. */
      lastUsedThrottleS: { type: 'integer', minimum: 0, maximum: 86_400, default: 60 }
    }),
    /** Where refresh tokens, API keys and revocations are stored. */
    tokenStore: section({
      /** Where refresh tokens, API keys and revocations are stored. */
      store: storeOption,
      /** How long revoked tokens and keys are stored, in milliseconds; 0 keeps them until they expire. */
      retentionRevokedMs: { type: 'integer', minimum: 0, maximum: 315_360_000_000, default: 2_592_000_000 },
      /** How often expired tokens and keys are removed, in seconds. */
      gcIntervalS: { type: 'integer', minimum: 1, maximum: 86_400, default: 600 }
    }),
    /** Longest time to authenticate a request, or to verify the password of a login, in milliseconds; then 503. */
    authenticatorTimeoutMs: { ...milliseconds, default: 5000 }
  })
} as const

/** As an application passes them. An unknown key ends the boot. Defaults: `docs/reference/options.md`. */
export type SvcSecurityOptions = OptionsOf<typeof optionsSchema>

/** A zone: its routes, and the authenticators that its callers use. */
export type Area = OptionsOf<typeof area>

/** The checked options, with defaults, frozen. Factories receive them as `config`. */
export type SecurityConfig = ConfigOf<typeof optionsSchema>

export type AreasConfig = SecurityConfig['areas']
export type AreaConfig = AreasConfig[string]
export type CsrfConfig = SecurityConfig['csrf']
export type ImpersonationConfig = NonNullable<SecurityConfig['impersonation']>
export type IdempotencyConfig = SecurityConfig['idempotency']
export type OAuth2Config = NonNullable<SecurityConfig['oauth2']>
export type SessionConfig = SecurityConfig['session']
export type UserEntityConfig = NonNullable<SecurityConfig['users']['entity']>
export type TotpConfig = NonNullable<SecurityConfig['totp']>
