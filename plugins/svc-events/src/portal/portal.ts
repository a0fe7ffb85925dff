/**
 * The portal: links, each of which opens one session, and the sessions. A secret is stored as its hash. A session belongs to
 * one organisation, and ends at its time, whatever it does.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, currentRequest } from 'svc-kernel'
import { checkOptions } from 'svc-kernel/plugin'
import { newTokenSecret, tokenHash } from 'svc-stores/plugin'
import type { Organizations } from '../access/organizations.ts'
import { EventsUnavailable, InvalidPortalLink, InvalidPortalOption, OrganizationSuspended } from '../errors.ts'
import { type EventsConfig, optionsSchema } from '../options.ts'
import { locale, MOST_MINUTES } from './portal-options.ts'
import type { PortalPurpose, PortalToken, PortalTokenStore } from './portal-tokens.ts'

export type PortalConfig = NonNullable<EventsConfig['portal']>
/** Five colours, each one for both schemes or `{ light, dark }`. */
export type PortalTheme = NonNullable<PortalConfig['theme']>

/** How the page of a link looks. What is absent is as the options say. */
export interface PortalLinkOptions {
  /** Such as `de`. */
  readonly locale?: string
  readonly theme?: PortalTheme
  /** What the page calls the organisation; default: its identifier. */
  readonly name?: string
  /** How long the link can be opened, 1 to 60. */
  readonly minutes?: number
}

/** A link that opens one session. */
export interface PortalLink {
  /** It holds a secret: give it to the person who opens it, and to nobody else. */
  readonly url: string
  /** Epoch ms. */
  readonly expiresAt: number
}

export interface PortalParts {
  readonly config: PortalConfig
  readonly store: PortalTokenStore
  readonly organizations: Organizations
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** What a page is made of, apart from its texts. */
export interface PortalLook {
  readonly name: string
  readonly locale: string
  readonly theme: PortalTheme
}

const MINUTE_MS = 60_000

/** Of credentials: it tells them from those of other zones, in a log or a leak. */
const PREFIX = 'portal_'
const BEARER = /^bearer (portal_[\w-]{43})$/i

const linkOptions = {
  $id: 'svc-events/portal-link',
  type: 'object',
  additionalProperties: false,
  properties: {
    locale,
    theme: optionsSchema.properties.portal.properties.theme,
    name: { type: 'string', minLength: 1, maxLength: 200 },
    minutes: { type: 'integer', minimum: 1, maximum: MOST_MINUTES }
  }
} as const

/** The secret of a session in a header; `null` where there is none. */
export function bearerOf(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

export class Portal {
  readonly #parts: PortalParts

  constructor(parts: PortalParts) {
    this.#parts = parts
  }

  /** @throws InvalidPortalOption, UnknownOrganization (404), OrganizationSuspended (403) */
  async link(organization: string | null, given: PortalLinkOptions): Promise<PortalLink> {
    const { config, clock } = this.#parts
    const [problem] = checkOptions('portal', linkOptions, given).problems
    if (problem !== undefined) throw new InvalidPortalOption(problem.message)
    const owner = await this.#open(organization)
    const { minutes = config.minutes, name = owner, locale = config.locale, theme = {} } = given
    const expiresAt = clock.now() + minutes * MINUTE_MS
    const look = { name, locale, theme: { ...config.theme, ...theme } }
    const actor = currentRequest()?.user?.identifier ?? null
    const secret = await this.#issue('link', owner, { ...look, actor }, expiresAt)
    this.#say('portal.linked', owner, actor)
    return { url: `${config.origin ?? ''}${config.path}#${secret}`, expiresAt }
  }

  /**
   * Uses a link up.
   *
   * @throws InvalidPortalLink (400) for one that is unknown, used or over, UnknownOrganization (404), OrganizationSuspended (403)
   */
  async enter(secret: string): Promise<{ readonly token: string; readonly session: PortalToken }> {
    const { config, clock, store } = this.#parts
    const link = await this.#asked(() => store.take('link', tokenHash(secret)))
    if (link === null) throw new InvalidPortalLink()
    const owner = await this.#open(link.subject)
    const expiresAt = clock.now() + config.sessionMinutes * MINUTE_MS
    const token = await this.#issue('session', owner, link.data, expiresAt)
    const session = await this.session(token)
    if (session === null) throw new InvalidPortalLink()
    this.#say('portal.entered', owner, link.data.actor)
    return { token, session }
  }

  /** @returns `null` for one that is unknown or over */
  async session(token: string): Promise<PortalToken | null> {
    return this.#asked(() => this.#parts.store.read('session', tokenHash(token)))
  }

  /** Ends a session. */
  async leave(token: string): Promise<void> {
    const session = await this.#asked(() => this.#parts.store.take('session', tokenHash(token)))
    if (session !== null) this.#say('portal.left', session.subject, session.data.actor)
  }

  /** Ends the links and sessions of an organisation. */
  async forget(organization: string): Promise<void> {
    await this.#parts.store.eraseOf(organization)
  }

  async #open(organization: unknown): Promise<string> {
    const owner = await this.#parts.organizations.known(organization)
    if ((await this.#parts.organizations.state(owner)) !== 'active') throw new OrganizationSuspended()
    return owner
  }

  async #issue(purpose: PortalPurpose, subject: string, data: PortalToken['data'], expiresAt: number): Promise<string> {
    const { store, clock } = this.#parts
    const secret = PREFIX + newTokenSecret()
    const hash = tokenHash(secret)
    const nobody = { identifier: null, address: '' }
    const record = { id: hash, hash, purpose, subject, ...nobody, data, createdAt: clock.now(), expiresAt }
    await this.#asked(() => store.put(record))
    return secret
  }

  #say(action: string, organization: string | null, actor: unknown): void {
    this.#parts.log.info({ action, organization, actor }, 'the portal of an organisation')
  }

  /** A database that does not answer is no refusal of who asks. @throws EventsUnavailable (503) */
  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the tokens of the portal cannot be reached')
      throw new EventsUnavailable('the portal cannot be reached now')
    }
  }
}

/** How the page of a session looks. */
export function lookOf({ data, subject }: PortalToken): PortalLook {
  const { name, locale, theme } = data as unknown as PortalLook
  return { name: name ?? subject ?? '', locale, theme }
}
