/** The options of `svc openapi`, one line of help each. */
import type { Command } from 'commander'
import { child, command, withAppOptions } from '../options.ts'

export function addOpenapi(program: Command): void {
  withAppOptions(child(program, 'openapi', 'print the OpenAPI document, compare it, or check a running server'))
    .option('--document <name>', 'one of the documents of svc-openapi', 'main')
    .option('--asyncapi', 'the AsyncAPI document instead: WebSocket routes, channels and webhooks')
    .option('--out <file>', 'write it into a file, in YAML where it ends in .yaml or .yml')
    .option('--against <file>', 'list what changed since this document; exit code 1 if a client could break')
    .option('--check <origin>', 'send requests made from the document; exit code 1 if an answer differs from it')
    .option('--changing', 'also send requests that change something: not to a server whose data matter')
    .option('--requests <number>', 'how many valid requests for each operation', '20')
    .option('--seed <number>', 'the same requests for the same number', '1')
    .option('--key <key>', 'an API key to send (default: SVC_API_KEY, which process lists do not show)')
    .option('--json', 'print what was found as JSON')
    .action(command(() => import('./openapi.ts'), 'openapi'))
}
