import { Form } from '@base-ui/react/form';
import { useEffect, useRef, useState } from 'react';
import { Button, Problem } from './parts.tsx';
import type { Session } from './session.ts';

/** Asks for a token. The field is in no form that a browser would store. */
export function SignIn({ session: { state, problem, signIn, atIssuer } }: { session: Session }) {
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setIsSending] = useState(false);
  useEffect(() => input.current?.focus(), []);
  const submit = async () => {
    const token = input.current?.value.trim() ?? '';
    if (token === '' || isSending) return;
    setIsSending(true);
    await signIn(token);
    setIsSending(false);
    input.current?.select();
  };
  return (
    <section className="sign-in stack" aria-labelledby="sign-in">
      <h2 id="sign-in">{state === 'ended' ? 'Sign in again' : 'Sign in'}</h2>
      {state === 'ended' && <p>The gateway does not accept your token any more. Your changes are still here.</p>}
      {atIssuer && (
        <p>
          <Button className="primary" onClick={atIssuer.ask}>
            Sign in at {atIssuer.name}
          </Button>
        </p>
      )}
      <Form className="stack" onFormSubmit={submit}>
        <label htmlFor="token">API token or JWT</label>
        <input
          id="token"
          ref={input}
          type="password"
          autoComplete="off"
          required
          aria-invalid={problem !== null}
          aria-describedby="token-hint"
        />
        <p id="token-hint" className="hint">
          Or open the link that the gateway printed at its start. The page forgets the token when it is closed or
          reloaded.
        </p>
        <Problem text={problem} />
        <button type="submit" className={atIssuer ? undefined : 'primary'} aria-disabled={isSending}>
          Sign in
        </button>
      </Form>
    </section>
  );
}
