/** An application whose jury the cases of the jury, its roles and its scopes put to the test. */
import { type ControllerClass, controller, Get, IsGranted } from 'svc-decorators'
import { type AccessToken, createAccessToken } from 'svc-kernel'
import type { AccessVoter, Jury, SvcSecurityOptions, SvcSecurityParts } from 'svc-security'
import type { Test } from 'tap'
import { bearer, PlainCredential } from '../../support/plain-credential.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { type AppParts, startApp } from '../../support/start-app.ts'

/** The verb that voters of the cases answer for. */
export const VERB = 'publish'

@controller('/post')
class Posts {
  @Get()
  @IsGranted(VERB)
  publish(): unknown {
    return { published: true }
  }

  @Get('/role')
  @IsGranted('ROLE_USER')
  read(): unknown {
    return { read: true }
  }
}

/** A voter on the one verb. */
export function onVerb(vote: AccessVoter['vote'], name = 'tested'): AccessVoter {
  return { name, supports: (attribute) => attribute === VERB, vote }
}

export interface JuryAppParts extends Omit<AppParts, 'security' | 'controllers'> {
  readonly security?: SvcSecurityOptions
  readonly parts?: SvcSecurityParts
  readonly controllers?: readonly ControllerClass[]
}

/** The whole application lies in one zone that admits the anonymous visitor. */
export async function juryApp(
  t: Test,
  voters: readonly AccessVoter[],
  { security = {}, parts = {}, controllers = [Posts], ...more }: JuryAppParts = {}
) {
  const started = await startApp(t, {
    ...more,
    controllers,
    security: {
      areas: { site: { pattern: '^/', authenticators: ['bearer', 'anonymous'] } },
      ...security,
      parts: { voters, ...parts, authenticators: { bearer: PlainCredential.bearer(), ...parts.authenticators } }
    }
  })
  const jury = started.fastify.jury as Jury
  /** Asks the guarded route as `alice`, or as the credential given. */
  const ask = (credential = 'alice', target = '/post') =>
    rawExchange(started.port, rawRequest('GET', target, credential === '' ? {} : bearer(credential)))
  return { ...started, jury, ask }
}

export function tokenOf(
  given: { type?: string; identifier?: string; roles?: string[]; scopes?: string[] } = {}
): AccessToken {
  const { type = 'session', identifier = 'alice', roles = [], scopes = [] } = given
  return createAccessToken({ type, user: { identifier, roles }, scopes })
}
