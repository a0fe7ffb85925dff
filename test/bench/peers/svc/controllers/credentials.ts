/** What the load presents: a new API key and a new token. */
import type { FastifyInstance } from 'fastify'
import { controller, Get } from 'svc-decorators'
import { alice } from '../../accounts.ts'

@controller('/public/credentials')
export class CredentialsController {
  readonly #tokens: FastifyInstance['tokens']

  constructor(fastify: FastifyInstance) {
    this.#tokens = fastify.tokens
  }

  @Get('')
  async create(): Promise<unknown> {
    const { token } = await this.#tokens.apiKeys.create(alice.identifier, { name: 'bench' })
    return { apikey: token, jwt: (await this.#tokens.issue(alice)).accessToken }
  }
}
