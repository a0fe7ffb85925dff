/** The operations of svc-accounts as `described-answers.test.ts` asks them: a life of an account, by the links of its mails. */
import type { FastifyInstance } from 'fastify'
import { type Asked, type Caller, PASSWORD } from '../support/full-app.ts'

type Params = Readonly<Record<string, string>>

interface Asking {
  readonly caller: () => Caller
  /** Asks, and holds the answer against the document. */
  readonly call: (who: Caller, name: string, params?: Params, asked?: Asked) => Promise<unknown>
  /** The same for a success. @returns what was answered */
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of every kind
  readonly done: (who: Caller, name: string, params?: Params, asked?: Asked) => Promise<any>
}

export async function askAccounts(fastify: FastifyInstance, { caller, call, done }: Asking): Promise<void> {
  const address = 'ada@example.org'
  const ada = caller()
  const tokenOf = async (subject: string, to = address) => {
    const { text } = await fastify.mail.outbox.next({ to, subject })
    return /#([\w-]{43})/.exec(text)?.[1] ?? ''
  }
  const byLink = (name: string, body: object) => done(caller(), `svc.accounts.${name}`, {}, { body })
  await byLink('sign-up', { address, password: PASSWORD })
  await tokenOf('Confirm your address')
  await byLink('sign-up.resend', { address })
  const verify = { token: await tokenOf('Confirm your address'), password: PASSWORD }
  await call(caller(), 'svc.accounts.verify', {}, { body: { ...verify, password: 'another' } })
  await byLink('verify', verify)
  await byLink('reset', { address })
  await byLink('reset.complete', { token: await tokenOf('Reset your password'), password: PASSWORD })
  await ada.signIn(address)
  await done(ada, 'svc.accounts.me')
  await done(ada, 'svc.accounts.export')
  await done(ada, 'svc.accounts.export.download', {}, { body: { token: await tokenOf('downloaded') } })
  await done(ada, 'svc.accounts.address', {}, { body: { address: 'ada@example.com' } })
  await byLink('address.confirm', { token: await tokenOf('new address', 'ada@example.com') })
  await byLink('address.undo', { token: await tokenOf('address of your account changes') })
  await byLink('reset.complete', { token: await tokenOf('Reset your password'), password: PASSWORD })
  await ada.signIn(address)
  await done(ada, 'svc.accounts.deletion')
  await byLink('deletion.cancel-by-link', { token: await tokenOf('will be deleted') })
  await ada.signIn(address)
  await done(ada, 'svc.accounts.deletion.cancel')

  const root = caller()
  await root.signIn('root')
  const body = { address: 'bob@example.org', roles: ['ROLE_USER'] }
  await done(root, 'svc.accounts.invitations.invite', {}, { body })
  const { invitations } = await done(root, 'svc.accounts.invitations')
  await done(root, 'svc.accounts.invitations.revoke', { ref: invitations[0].ref })
  await call(root, 'svc.accounts.invitations.revoke', { ref: invitations[0].ref })
  await tokenOf('invited', body.address)
  await done(root, 'svc.accounts.invitations.invite', {}, { body })
  await byLink('invitations.accept', { token: await tokenOf('invited', body.address), password: PASSWORD })
  await call(root, 'svc.accounts.invitations.invite', {}, { body })
}
