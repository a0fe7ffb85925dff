/** What an operator may set. Functions and objects with behaviour are not options: see `SvcSecurityParts`. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'

export const MAX_EXPIRY_DAYS = 3650

const milliseconds = { type: 'integer', minimum: 1, maximum: 600_000 } as const
const seconds = { type: 'integer', minimum: 0, maximum: 31_536_000 } as const
const role = { type: 'string', format: 'role' } as const
const text = { type: 'string', minLength: 1 } as const
const longText = { ...text, maxLength: 2048 } as const

const closed = <const Properties>(properties: Properties) =>
  ({ type: 'object', additionalProperties: false, properties }) as const
/** Complete also when it is not given. One that is just `closed` switches something on when it is given. */
const section = <const Properties>(properties: Properties) => ({ ...closed(properties), default: {} }) as const

const area = {
  required: ['pattern', 'authenticators'],
  ...closed({
    /** Which routes the zone holds: a regular expression (flag `u`), matched against the full template of each. */
    pattern: { type: 'string', format: 'regex' },
    /** Names, tried in this order. */
    authenticators: { type: 'array', minItems: 1, uniqueItems: true, items: text },
    /** `first`: the first that claims the credential decides; `all`: every one must hold. */
    mode: { enum: ['first', 'all'], default: 'first' },
    /** `false` keeps the identity away from WebSocket upgrades: guarded WebSocket routes then answer 403. */
    realtime: { type: 'boolean', default: true },
    /** `true` takes a password by HTTP Basic also from users who have a second factor, which Basic cannot ask for. */
    basicWithoutSecondFactor: { type: 'boolean', default: false }
  })
} as const

const oauth2Provider = {
  required: ['issuer', 'clientId'],
  ...closed({
    /** Its discovery document is found there; `https`, or `http` on the loopback. */
    issuer: {
      type: 'string',
      pattern: '^(?:https://|http://(?:127\\.0\\.0\\.1|localhost)(?::[0-9]+)?(?:/|$))',
      expected: 'an https URL; http on the loopback alone'
    },
    /** How the provider knows the application. */
    clientId: longText,
    /** Absent for a public client. */
    clientSecret: longText,
    /** What is asked for; `openid` is among them. */
    scopes: { type: 'array', default: ['openid'], contains: { const: 'openid' }, items: longText }
  })
} as const

const userEntity = {
  required: ['name', 'identifier', 'password'],
  ...closed({
    /** The entity whose rows are the users. */
    name: text,
    /** Connector of the entity. Without it, the default one. */
    connector: text,
    /** Field of the name that a user logs in with; it must be unique. */
    identifier: text,
    /** Field of the password hash, as `userAccounts.hashPassword` makes it. */
    password: text,
    /** Field of the roles, a list of texts. Without it, every user has `ROLE_USER`. */
    roles: text,
    /** Field that is true for users who may act. Without it, every user may. */
    enabled: text,
    /** Field that is true for users who are locked. Without it, no user is. */
    locked: text
  })
} as const

export const optionsSchema = {
  $id: 'svc-security/options',
  ...closed({
    /** Zones by name; where several match a route, the one declared first holds it. */
    areas: { type: 'object', default: {}, additionalProperties: area },
    /** Role to the roles it inherits; a cycle stops the boot. */
    roleHierarchy: {
      type: 'object',
      default: {},
      propertyNames: role,
      additionalProperties: { type: 'array', items: role }
    },
    jury: section({
      /** How long one vote may take, in milliseconds. */
      voterTimeoutMs: { ...milliseconds, default: 1000 }
    }),
    /** Which pages may change something with a browser's session. */
    csrf: section({
      /** `false`: changes made with a session need no proof of the page that makes them. */
      enabled: { type: 'boolean', default: true },
      /** Origins, besides the server's own, from which a browser may open a WebSocket or change something. */
      trustedOrigins: { type: 'array', default: [], items: { type: 'string', format: 'origin' } }
    }),
    /** One-time codes as a second factor. Giving it switches them on. */
    totp: closed({
      /** Where enrolments of one-time codes are kept; giving the section `totp` switches them on. */
      store: storeOption,
      /** 32 bytes, base64: seals the secrets at rest. Required in production; elsewhere a key of the process is used, with a warning. */
      encryptionKey: text,
      /** Shown by authenticator apps. Without it, the name of the application. */
      issuer: { ...text, maxLength: 100, pattern: '^[^:]+$', expected: 'a text without colons' }
    }),
    /** Registering passkeys and logging in with one. Giving it switches them on. */
    passkeys: {
      required: ['rpId', 'origins'],
      ...closed({
        /** Where passkeys are kept; giving the section `passkeys` switches them on. */
        store: storeOption,
        /** The domain that passkeys belong to; they work on it and below it, and can never move to another. */
        rpId: {
          type: 'string',
          maxLength: 253,
          pattern: '^(?!-)[a-z0-9-]+(?:\\.[a-z0-9-]+)*$',
          expected: 'a domain, in lower case, without a port'
        },
        /** Shown by browsers. Without it, the name of the application. */
        rpName: { ...text, maxLength: 100 },
        /** Pages from which passkeys are taken, such as `https://shop.example`. */
        origins: { type: 'array', minItems: 1, items: { type: 'string', format: 'origin' } }
      })
    },
    /** Logins at OpenID Connect providers. Giving it switches them on. */
    oauth2: {
      required: ['publicUrl', 'providers'],
      ...closed({
        /** Where browsers reach the application, such as `https://shop.example`; callbacks are below it. Giving the section `oauth2` switches logins at OpenID Connect providers on. */
        publicUrl: { type: 'string', format: 'origin' },
        /** Path that a browser is sent to after a login or a link; with `mfaRequired` in the query while a code is due. */
        landingPath: {
          type: 'string',
          pattern: '^/(?![/\\\\])',
          expected: 'a path that begins with one /',
          default: '/'
        },
        /** Providers by the name in the path of their routes. */
        providers: {
          type: 'object',
          propertyNames: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
          additionalProperties: oauth2Provider
        }
      })
    },
    /** Logins of browsers. Giving it, or a zone that lists `session`, switches them on. */
    session: section({
      /** Where sessions are kept. */
      store: storeOption,
      /** Time without a request after which a session is over, in seconds; 0 for no such bound. */
      idleTimeoutS: { ...seconds, default: 1800 },
      /** Time after its opening when a session is over, whatever happens, in seconds; 0 for no such bound. */
      absoluteTimeoutS: { ...seconds, default: 43_200 },
      /** How old the proof of a user may be, login or confirmation, when a factor, a key or a role is to change, in seconds; `null` asks for none. */
      recentProofS: { type: ['integer', 'null'], minimum: 1, maximum: 86_400, default: 600 },
      /** Name of the cookie; `__Host-` is put before it on TLS. */
      cookieName: {
        type: 'string',
        pattern: '^(?!__)[A-Za-z0-9_-]{1,64}$',
        expected: 'letters, digits, _ and -, not beginning with __',
        default: 'svc_session'
      },
      /** `Secure` and `__Host-`: `auto` where the request came over TLS, `always` behind a proxy that does not say so. */
      secureCookie: { enum: ['auto', 'always'], default: 'auto' },
      /** `request.session` and `request.cookies`, by @fastify/session and @fastify/cookie; `false` leaves both to the application. */
      shared: { type: 'boolean', default: true },
      /** Time between two sweeps of sessions that are over, in seconds. */
      purgeIntervalS: { ...seconds, minimum: 1, default: 600 }
    }),
    /** Where users are loaded from. Giving it, or `parts.users`, switches logins on. */
    users: section({
      /** Where users are loaded from, unless `users.entity` or `parts.users` loads them. */
      store: storeOption,
      /** An entity of the application in which users are kept, through svc-orm. */
      entity: userEntity
    }),
    /** Which passwords may be set, what a hash of one costs, and how many are computed at a time. */
    passwords: section({
      /** Characters of a password at the least, wherever one is set; a login is not asked. 15 are better where no second factor is used. */
      minLength: { type: 'integer', minimum: 1, maximum: 128, default: 8 },
      /** Memory of one argon2id hash, in KiB. */
      memoryKib: { type: 'integer', minimum: 7168, maximum: 1_048_576, default: 19_456 },
      /** Passes over that memory. */
      passes: { type: 'integer', minimum: 1, maximum: 99, default: 2 },
      /** Lanes of argon2id. */
      parallelism: { type: 'integer', minimum: 1, maximum: 16, default: 1 },
      /** Hashes computed at a time, on Node's thread pool. */
      maxConcurrent: { type: 'integer', minimum: 1, maximum: 64, default: 2 },
      /** Realm of the Basic challenge. */
      realm: {
        type: 'string',
        pattern: '^[ !#-\\[\\]-~]{1,100}$',
        expected: 'printable ASCII without quotes and backslashes',
        default: 'svc'
      },
      /** Hashes that may wait; beyond, a login answers 503. */
      maxQueue: { type: 'integer', minimum: 0, maximum: 10_000, default: 64 }
    }),
    /** How guessing at passwords and codes is slowed down. */
    rateLimit: section({
      /** `false`: guessing at passwords and codes is not slowed down. */
      enabled: { type: 'boolean', default: true },
      /** Failures in a row that cost nothing, per name; ten times as many per network. */
      freeAttempts: { type: 'integer', minimum: 0, maximum: 1000, default: 3 },
      /** Delay after the first failure beyond, in seconds; doubles with each further one. */
      baseDelayS: { type: 'integer', minimum: 1, maximum: 3600, default: 1 },
      /** The longest delay, in seconds. */
      capDelayS: { type: 'integer', minimum: 1, maximum: 86_400, default: 900 }
    }),
    /** Answers to requests with an `Idempotency-Key`. */
    idempotency: section({
      /** Where answers to requests with an `Idempotency-Key` are kept, encrypted. */
      store: storeOption,
      /** How long an answer is repeated, in milliseconds. */
      ttlMs: { type: 'integer', minimum: 1000, maximum: 604_800_000, default: 600_000 }
    }),
    realtime: section({
      /** The identity of an open WebSocket is checked again at most once in this time, in milliseconds; 0: before each message. */
      revalidateWindowMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 250 }
    }),
    /** Signed access tokens. Giving it, or a zone that lists `jwt`, switches them on. */
    jwt: section({
      /** `iss` of every token. */
      issuer: { ...text, maxLength: 500, default: 'svc' },
      /** `aud` of every token; a token for somebody else is refused. Without it, the issuer. */
      audience: { ...text, maxLength: 500 },
      /** Schemes of `Authorization` that bring an access token, in any case; the first is what a challenge and `token_type` name. */
      schemes: {
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        default: ['Bearer'],
        items: {
          type: 'string',
          pattern: '^(?!(?:[Bb][Aa][Ss][Ii][Cc]|[Dd][Pp][Oo][Pp])$)[A-Za-z][A-Za-z0-9_-]{0,31}$',
          expected: 'letters, digits, _ and -; neither Basic nor DPoP'
        }
      },
      /** Life of an access token, in seconds; at most a day. */
      accessTtlS: { type: 'integer', minimum: 1, maximum: 86_400, default: 900 },
      /** Life of a refresh token, in seconds. */
      refreshTtlS: { type: 'integer', minimum: 1, maximum: 31_536_000, default: 604_800 },
      /** How long a refresh token that was just replaced answers again with its successor, in seconds: for two pages that renew at once, or an answer that was lost; 0 never. */
      refreshGraceS: { type: 'integer', minimum: 0, maximum: 60, default: 10 },
      /** How far the clock of another instance may be off, in seconds. */
      clockToleranceS: { type: 'integer', minimum: 0, maximum: 300, default: 0 },
      /** The key set itself, as JSON; wins over `jwt.dir`. */
      keySetJson: text,
      /** Folder of `keyset.json`, from the application's folder; made at the first start, mode 0600. */
      dir: text,
      /** Verified signatures to remember for up to a minute, a MiB of tokens at most; 0 remembers none. */
      cacheSize: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 1000 }
    }),
    /** Credentials of machines. Giving it, or a zone that lists `apikey`, switches them on. */
    apiKeys: section({
      /** What every API key begins with, before `_`: 1 to 12 of `[a-z0-9]`. */
      prefix: { type: 'string', pattern: '^[a-z0-9]{1,12}$', default: 'svc' },
      /** Life of a key unless its maker says otherwise, in days; `null` for no end. */
      defaultExpiryDays: { type: ['integer', 'null'], minimum: 1, maximum: MAX_EXPIRY_DAYS, default: 90 },
      /** Keys of one user that are alive at a time; beyond, 409. */
      maxPerSubject: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      /** The last use of a key is noted at most once in so many seconds. */
      lastUsedThrottleS: { type: 'integer', minimum: 0, maximum: 86_400, default: 60 }
    }),
    /** Where refresh tokens, API keys and revocations are kept. */
    tokenStore: section({
      /** Where refresh tokens, API keys and revocations are kept. */
      store: storeOption,
      /** How long what was revoked is kept, in milliseconds; 0 keeps it until it expires. */
      retentionRevokedMs: { type: 'integer', minimum: 0, maximum: 315_360_000_000, default: 2_592_000_000 },
      /** How often what is over is removed, in seconds. */
      gcIntervalS: { type: 'integer', minimum: 1, maximum: 86_400, default: 600 }
    }),
    /** How long the authentication of one request may take, in milliseconds; then 503. */
    authenticatorTimeoutMs: { ...milliseconds, default: 5000 }
  })
} as const

export type SvcSecurityOptions = OptionsOf<typeof optionsSchema>

/** A zone: which routes it holds and how their callers prove who they are. */
export type Area = OptionsOf<typeof area>

/** Options after the reader: completed with defaults and frozen. This is the `config` factories receive. */
export type SecurityConfig = ConfigOf<typeof optionsSchema>

export type AreasConfig = SecurityConfig['areas']
export type AreaConfig = AreasConfig[string]
export type CsrfConfig = SecurityConfig['csrf']
export type IdempotencyConfig = SecurityConfig['idempotency']
export type OAuth2Config = NonNullable<SecurityConfig['oauth2']>
export type SessionConfig = SecurityConfig['session']
export type UserEntityConfig = NonNullable<SecurityConfig['users']['entity']>
export type TotpConfig = NonNullable<SecurityConfig['totp']>
