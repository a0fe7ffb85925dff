/** The framework's answers to errors, but for the status of an invalid body, which is that of the other applications. */
import { ExceptionHandler } from '@adonisjs/core/http'

export default class HttpExceptionHandler extends ExceptionHandler {
  debug = false

  async renderValidationErrorAsJSON(error, ctx) {
    ctx.response.status(400).send({ errors: error.messages })
  }
}
