/**
 * `svc secrets`: how many secrets at rest are encrypted with which key, so that a former key is removed from the options
 * when none needs it. The application boots, but opens no port.
 */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson, textTable } from '../output.ts'

/** What the command reads of `fastify.stores`. */
interface SealedView {
  readonly name: string
  count(): Promise<Readonly<Record<'first' | 'former' | 'unreadable', number>>>
}

/** @throws CommandError SVC_SECRETS_FORMER */
export function secrets({ json, ...options }: AppOptions & { json?: true }): Promise<void> {
  return inspectApp(options, 'svc secrets', async ({ register }) => {
    const fastify = await register()
    await fastify.ready()
    const rows = await Promise.all(
      sealedIn(fastify).map(async (each) => ({ name: each.name, ...(await each.count()) }))
    )
    if (json === true) printJson(rows)
    else if (rows.length === 0) print('no module of this application encrypts what it stores')
    else {
      const cells = rows.map(({ name, first, former, unreadable }) => [
        name,
        ...[first, former, unreadable].map(String)
      ])
      print(textTable(['SECRETS', 'FIRST KEY', 'FORMER KEYS', 'NO KEY'], cells))
    }
    const waiting = rows.filter(({ former, unreadable }) => former + unreadable > 0)
    if (waiting.length > 0) throw new CommandError(waiting.map(problem))
  })
}

function sealedIn(fastify: FastifyInstance): readonly SealedView[] {
  return decoratorOf(fastify as unknown as { stores: { sealed: readonly SealedView[] } }, 'stores')?.sealed ?? []
}

function problem({ name, former, unreadable }: { name: string; former: number; unreadable: number }) {
  return {
    code: 'SVC_SECRETS_FORMER',
    message: `not all ${name} are encrypted with the first key`,
    got: `${former} with a former key, ${unreadable} with a key that is not in the list`,
    expected: 'all of them with the first key',
    fix:
      unreadable > 0
        ? 'add the missing key to the end of the list, and start the application'
        : 'keep the former keys in the list, and start the application: each start encrypts them again',
    more: 'npx svc docs security'
  }
}
