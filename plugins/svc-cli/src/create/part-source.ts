/** The texts of a new voter, authenticator and test. Pure. */
import type { NewFile } from '../application/write-new-files.ts'

export type PartKind = 'voter' | 'authenticator' | 'test'

/** @param name lower-case words joined by `-` */
export function partFiles(kind: PartKind, name: string): NewFile[] {
  if (kind === 'test') return [{ path: `test/${name}.test.ts`, text: testSource() }]
  const text = kind === 'voter' ? voterSource(name) : authenticatorSource(name)
  const test = kind === 'voter' ? voterTest(name) : authenticatorTest(name)
  return [
    { path: `${kind}s/${name}.ts`, text },
    { path: `test/${name}-${kind}.test.ts`, text: test }
  ]
}

function className(name: string, kind: string): string {
  return `${name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}${kind}`
}

function voterSource(name: string): string {
  const Class = className(name, 'Voter')
  return `/** Decides on \`${name}\`: @IsGranted('${name}') asks it. */
import type { AccessToken } from 'svc-kernel'
import { ABSTAIN, type AccessVoter, GRANT, registerVoterFactory, type Vote } from 'svc-security'

export class ${Class} implements AccessVoter {
  readonly name = '${name}'

  supports (attribute: string): boolean {
    return attribute === '${name}'
  }

  /** GRANT opens, DENY closes whatever others say, ABSTAIN leaves it to them. */
  vote (token: AccessToken): Vote {
    return token.user.roles.includes('ROLE_USER') ? GRANT : ABSTAIN
  }
}

registerVoterFactory('${name}', () => new ${Class}())
`
}

function voterTest(name: string): string {
  const Class = className(name, 'Voter')
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccessToken } from 'svc-kernel'
import { ABSTAIN, GRANT } from 'svc-security'
import { ${Class} } from '../voters/${name}.ts'

const voter = new ${Class}()
const tokenOf = (...roles: string[]) => createAccessToken({ type: 'session', user: { identifier: 'ada', roles } })

test('${name}: only callers with the role', () => {
  assert.equal(voter.supports('${name}'), true)
  assert.equal(voter.supports('something else'), false)
  assert.equal(voter.vote(tokenOf('ROLE_USER')), GRANT)
  assert.equal(voter.vote(tokenOf()), ABSTAIN)
})
`
}

function authenticatorSource(name: string): string {
  const Class = className(name, 'Authenticator')
  return `/** Proves an identity by the header \`x-${name}\`. List '${name}' in a zone, before 'anonymous'. */
import { timingSafeEqual } from 'node:crypto'
import { type AccessToken, createAccessToken } from 'svc-kernel'
import { type AuthenticationContext, type Authenticator, registerAuthenticatorFactory } from 'svc-security'

export class ${Class} implements Authenticator<string> {
  readonly tokenType = '${name}'
  /** A program writes the header. What a browser sends by itself ('cookie', 'connection') is checked for its page too. */
  readonly carrier = 'header'
  /** A machine may do what its scopes name; a 'person' is not narrowed by scopes. */
  readonly subject = 'machine'
  readonly openapi = { type: 'apiKey', in: 'header', name: 'x-${name}' } as const
  readonly #secrets: ReadonlyMap<string, string>

  /** @param secrets by the identifier of their owner; from the environment, in an application */
  constructor (secrets: ReadonlyMap<string, string>) {
    this.#secrets = secrets
  }

  /** Is the credential there? Who claims a request decides it. */
  supports ({ headers }: AuthenticationContext): boolean {
    return headers['x-${name}'] !== undefined
  }

  createToken ({ headers }: AuthenticationContext): string {
    return String(headers['x-${name}'])
  }

  /** Whatever it throws becomes one uniform 401. */
  authenticate (credential: string): AccessToken {
    const colon = credential.indexOf(':')
    const identifier = credential.slice(0, colon)
    const secret = this.#secrets.get(identifier)
    if (secret === undefined || !equal(secret, credential.slice(colon + 1))) throw new Error('no such secret')
    return createAccessToken({ type: this.tokenType, user: { identifier, roles: [] } })
  }
}

function equal (a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

registerAuthenticatorFactory('${name}', () => new ${Class}(new Map()))
`
}

function authenticatorTest(name: string): string {
  const Class = className(name, 'Authenticator')
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${Class} } from '../authenticators/${name}.ts'

const authenticator = new ${Class}(new Map([['robot', 'sesame']]))

test('${name}: the owner of the secret', () => {
  assert.equal(authenticator.authenticate('robot:sesame').getUserIdentifier(), 'robot')
})

test('${name}: a wrong secret, an unknown name, nonsense', () => {
  for (const credential of ['robot:wrong!', 'nobody:sesame', 'robot', '']) {
    assert.throws(() => authenticator.authenticate(credential))
  }
})
`
}

function testSource(): string {
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from './helper.ts'

test('the application answers', async (t) => {
  const fastify = await build(t)
  const { statusCode } = await fastify.inject('/')
  assert.equal(statusCode, 200)
})
`
}
