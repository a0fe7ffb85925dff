/** A password from a person, never shown: typed twice at a terminal, or piped in whole. Whether it may be set, the application says. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from '../errors.ts'

export interface PasswordOptions {
  passwordStdin?: true
}

/** @throws CommandError SVC_USER_PASSWORD without a terminal, and for two that differ */
export async function readPassword({ passwordStdin }: PasswordOptions): Promise<string> {
  if (passwordStdin === true) return readAll()
  if (!process.stdin.isTTY)
    throw refused(
      'there is no terminal to ask for the password',
      'printf %s "$PASSWORD" | npx svc user:create <identifier> --password-stdin'
    )
  const first = await ask('Password: ')
  if ((await ask('Again: ')) !== first) throw refused('the two passwords differ', 'type the same password twice')
  return first
}

/** The line that `echo` ends is not part of it. */
async function readAll(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

/** What is typed goes nowhere; the question itself is written beside it. */
async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const stopped = new AbortController()
  reader.once('SIGINT', () => stopped.abort())
  process.stderr.write(question)
  try {
    return await reader.question('', { signal: stopped.signal })
  } catch {
    throw refused('no password was given', 'type a password, or use --password-stdin')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}

/** @throws CommandError SVC_USER_PASSWORD for one that the application refuses, such as a short one */
export async function settingPassword<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
    throw code === 'SVC_SEC_PASSWORD' ? refused(String(message), 'choose another password') : error
  }
}

function refused(message: string, fix: string): CommandError {
  return new CommandError({ code: 'SVC_USER_PASSWORD', message, fix })
}
