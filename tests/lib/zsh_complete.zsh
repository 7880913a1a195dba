# SPDX-License-Identifier: GPL-2.0-only
# Types TEXT and a tab into a real zsh, on a terminal of its own, and prints what that shows.
# Usage: zsh -f tests/lib/zsh_complete.zsh COMPLETIONS TEXT
zmodload zsh/zpty
export TERM=dumb COLUMNS=200 LINES=1000
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; stty rows 1000 cols 200"
zpty -w shell 'LISTMAX=100000; zstyle ":completion:*" list-prompt ""; unsetopt zle_bracketed_paste 2>/dev/null'
zpty -w shell 'list-all() { zle list-choices; zle -R; zle -I; print -r -- "=$BUFFER="; print END-OF-LIST }'
zpty -w shell 'zle -N list-all; bindkey "^Xl" list-all; print READY-$((1+1))'
while zpty -r shell line; do [[ $line == *READY-2* ]] && break; done
zpty -n -w shell "$2"$'\Cxl'
while zpty -r shell line; do
	print -r -- "$line"
	[[ $line == *END-OF-LIST* ]] && break
done
zpty -d shell
