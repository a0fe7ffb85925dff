/** A `fetch` that answers from a list, and keeps what it was asked. */

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Answer = Response | Error | ((request: Request) => Response | Promise<Response>)

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** The error body of a server. */
export function refusal(statusCode: number, code: string, headers: Record<string, string> = {}): Response {
  return json({ statusCode, code, error: 'Refused', message: `${code} it is` }, statusCode, headers)
}

export class FakeServer {
  readonly asked: Asked[] = []
  readonly #answers: Answer[]

  constructor(...answers: Answer[]) {
    this.#answers = answers
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    this.asked.push({
      method: request.method,
      target: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: await request.clone().text()
    })
    const answer = this.#answers.shift()
    if (answer === undefined) throw new Error(`no answer is left for ${request.method} ${pathname}`)
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(request) : answer
  }
}
