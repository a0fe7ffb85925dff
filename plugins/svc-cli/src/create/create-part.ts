/** `svc create voter|authenticator|test`: one file and its test; an existing file is never touched. */
import { findRoot } from '../application/find-application.ts'
import { writeNewFiles } from '../application/write-new-files.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { CONTROLLER_NAME_RULE, cleanControllerName, isControllerName } from './controller-source.ts'
import { type PartKind, partFiles } from './part-source.ts'
import { filesForRunner } from './test-runner.ts'

const NEXT: Readonly<Record<PartKind, (name: string) => string>> = {
  voter: (name) => `Import './voters/${name}.ts' in svc.config.ts; it votes from the next boot on.`,
  authenticator: (name) =>
    `Import './authenticators/${name}.ts' in svc.config.ts, and list '${name}' in a zone before 'anonymous'.`,
  test: () => '`npm test` runs it.'
}

/** @throws CommandError SVC_NO_CONFIG, SVC_CREATE_NAME or SVC_CREATE_EXISTS */
export async function createPart(
  kind: PartKind,
  name: string,
  { root: given, dryRun }: AppOptions & { dryRun?: true }
): Promise<void> {
  const command = `svc create ${kind} ${name}`
  const root = findRoot(given, command)
  checkPartName(kind, name)
  await writeNewFiles(root, filesForRunner(root, partFiles(kind, name)), { dryRun })
  if (dryRun !== true) print(`\n${NEXT[kind](name)}`)
}

/** @throws CommandError SVC_CREATE_NAME (2) with the nearest allowed name */
export function checkPartName(kind: PartKind | 'controller', name: string): void {
  if (isControllerName(name)) return
  throw new CommandError(
    {
      code: 'SVC_CREATE_NAME',
      message: `"${name}" cannot name ${kind === 'authenticator' ? 'an' : 'a'} ${kind}`,
      got: name,
      expected: CONTROLLER_NAME_RULE,
      fix: `npx svc create ${kind} ${cleanControllerName(name)}`
    },
    2
  )
}
