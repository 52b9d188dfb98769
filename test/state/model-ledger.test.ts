import { describeLedger } from './contract.ts';
import { emptyModelState, ModelLedger } from './model-ledger.ts';

describeLedger('the model', async () => {
  const state = emptyModelState();
  let time = 0;
  const now = () => {
    time += 1;
    return time;
  };
  return { open: async () => new ModelLedger(state, now), close: async () => {} };
});
