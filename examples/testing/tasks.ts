import { defineTask, reject } from 'pgtusk'

export interface Mailer {
  send(to: string): Promise<'sent' | 'busy'>
}

/** The tasks of an application. They get their dependencies as arguments, so that a test can pass its own. */
export const tasksOf = (mailer: Mailer) =>
  [
    defineTask({
      name: 'welcome',
      maxAttempts: 3,
      run: async ({ to }: { to: string }) => {
        const answer = await mailer.send(to)
        return answer === 'busy' ? reject('the mail server is busy', { delay: '1 hour' }) : answer
      },
    }),
  ] as const
